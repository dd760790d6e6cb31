package dev.comporta.example;

/**
 * A book of the catalogue.
 *
 * @param id unique, and fit for a URI path: {@code os-maias}
 * @param title in the language of the book
 * @param author as on the title page
 * @param year of the first edition
 */
public record Book(String id, String title, String author, int year) {}
