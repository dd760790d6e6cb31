package dev.comporta.client;

import java.util.random.RandomGenerator;

/** A generator that several threads may use. */
final class SharedRandom implements RandomGenerator {

  private final RandomGenerator generator;

  SharedRandom(RandomGenerator generator) {
    this.generator = generator;
  }

  @Override
  public synchronized long nextLong() {
    return generator.nextLong();
  }
}
