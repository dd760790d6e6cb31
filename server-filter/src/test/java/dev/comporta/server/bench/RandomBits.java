package dev.comporta.server.bench;

import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Random numbers of one thread, for one nanosecond each (xorshift by Marsaglia). */
@State(Scope.Thread)
public class RandomBits {

  private long state = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L + 1;

  int next() {
    state ^= state << 13;
    state ^= state >>> 7;
    state ^= state << 17;
    return (int) (state >>> 32);
  }
}
