package dev.comporta.example;

import java.util.List;

/**
 * What the catalogue looked like at the end of a year.
 *
 * @param year the year
 * @param books how many there were
 * @param authors who wrote them, in alphabetical order
 */
public record Report(int year, int books, List<String> authors) {}
