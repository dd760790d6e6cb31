package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The limits of one request, those of one slot together, in the order in which their slots are
 * asked: the same on every node and whatever the order of the limits, limits for everyone last.
 *
 * @param parts at least one, unless there are no limits
 * @param size how many limits there are in all
 */
record SlotParts(List<Part> parts, int size) {

  private static final String TAG_OF_EVERYONE = "{" + KeyedLimit.EVERYONE + "}";

  /** Others are refused while one of these is held that is then given back, so it is held last. */
  private static final Comparator<Part> ORDER =
      Comparator.comparing(Part::isForEveryone).thenComparing(Part::slot);

  /**
   * Limits of one slot.
   *
   * @param slot 0 to 16383
   * @param places of each in the request
   * @param limits at least one
   */
  record Part(int slot, List<Integer> places, List<KeyedLimit> limits) {

    boolean isForEveryone() {
      return limits.get(0).key().contains(TAG_OF_EVERYONE);
    }
  }

  static SlotParts of(List<KeyedLimit> limits) {
    Map<Integer, List<Integer>> places = new TreeMap<>();
    for (int i = 0; i < limits.size(); i++) {
      places
          .computeIfAbsent(HashSlot.of(limits.get(i).key()), slot -> new ArrayList<>(limits.size()))
          .add(i);
    }
    return new SlotParts(
        places.entrySet().stream()
            .map(
                entry ->
                    new Part(
                        entry.getKey(),
                        entry.getValue(),
                        entry.getValue().stream().map(limits::get).toList()))
            .sorted(ORDER)
            .toList(),
        limits.size());
  }

  List<Integer> slots() {
    return parts.stream().map(Part::slot).toList();
  }

  /**
   * What each part says of its limits, in the order of the request.
   *
   * @param ofParts in the order of the parts, in each in the order of its limits
   */
  <T> List<T> inOrder(List<List<T>> ofParts) {
    Map<Integer, T> all = new TreeMap<>();
    for (int i = 0; i < parts.size(); i++) {
      List<Integer> places = parts.get(i).places();
      for (int j = 0; j < places.size(); j++) {
        all.put(places.get(j), ofParts.get(i).get(j));
      }
    }
    return List.copyOf(all.values());
  }
}
