package dev.comporta.example.loop;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** An application of nothing but limited resources. */
@ApplicationPath("/")
public class LoopApplication extends Application {}
