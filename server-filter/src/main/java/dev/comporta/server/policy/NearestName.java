package dev.comporta.server.policy;

import java.util.Collection;
import java.util.Optional;
import java.util.TreeSet;

/** Guesses what a misspelt name was meant to be. */
public final class NearestName {

  /** No key or name that we know is longer. */
  private static final int MAX_LENGTH = 256;

  private NearestName() {}

  /**
   * The known name that is fewest typing errors away; of several the first in order.
   *
   * @param maxDistance how many errors are still a guess
   */
  public static Optional<String> of(String name, Collection<String> known, int maxDistance) {
    Optional<String> nearest = Optional.empty();
    int best = maxDistance + 1;
    for (String candidate : new TreeSet<>(known)) {
      int distance = distance(name, candidate);
      if (distance < best) {
        best = distance;
        nearest = Optional.of(candidate);
      }
    }
    return nearest;
  }

  /** Letters left out, added, replaced, or swapped with their neighbour. */
  static int distance(String from, String to) {
    if (from.length() > MAX_LENGTH || to.length() > MAX_LENGTH) {
      return Integer.MAX_VALUE;
    }
    int[] beforeLast = new int[to.length() + 1];
    int[] last = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
        if (isSwap(from, i, to, j)) {
          row[j] = Math.min(row[j], 1 + beforeLast[j - 2]);
        }
      }
      beforeLast = last;
      last = row;
    }
    return last[to.length()];
  }

  private static boolean isSwap(String from, int i, String to, int j) {
    return i > 1
        && j > 1
        && from.charAt(i - 1) == to.charAt(j - 2)
        && from.charAt(i - 2) == to.charAt(j - 1);
  }
}
