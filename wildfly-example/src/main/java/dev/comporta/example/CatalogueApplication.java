package dev.comporta.example;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/**
 * The catalogue's API, under {@code /api}. It registers nothing: the limits come with the jar and
 * the annotations.
 */
@ApplicationPath("/api")
public class CatalogueApplication extends Application {}
