package dev.comporta.server.store.redis;

import dev.comporta.server.store.MicrosClock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The scripts by which changes are kept.
 *
 * @param look tells the changes, if they are not known yet
 * @param write makes one, or takes one back
 * @param putBack gives back what Redis has lost
 * @param givenTime told as the last argument; the scripts ask Redis if absent
 */
record ChangeScripts(String look, String write, String putBack, Optional<MicrosClock> givenTime) {

  /** Scripts that take the time from the server. */
  static ChangeScripts byServerTime() {
    return of("time_from_redis.lua", Optional.empty());
  }

  /** Scripts that are told the time, for tests. */
  static ChangeScripts byGivenTime(MicrosClock clock) {
    return of("time_given.lua", Optional.of(clock));
  }

  private static ChangeScripts of(String time, Optional<MicrosClock> givenTime) {
    String start = RedisScripts.text(time) + RedisScripts.text("changes.lua");
    return new ChangeScripts(
        start + RedisScripts.text("changes_look.lua"),
        start + RedisScripts.text("changes_write.lua"),
        start + RedisScripts.text("changes_put_back.lua"),
        givenTime);
  }

  /** What a script is called with. */
  Object[] arguments(List<?> arguments) {
    Stream<Object> time = givenTime.stream().map(MicrosClock::nowMicros);
    return Stream.concat(arguments.stream(), time).toArray();
  }
}
