package dev.comporta.client.retry;

import java.time.Duration;

/** Told how a call goes on. Several threads may tell, one after the other for one call. */
public interface Course {

  /** Nobody is told. */
  Course UNWATCHED =
      new Course() {
        @Override
        public void decided(Attempt attempt, RetryDecision decision) {}

        @Override
        public void beforeWait(Duration delay) {}
      };

  /** What follows an answer has been decided. */
  void decided(Attempt attempt, RetryDecision decision);

  /** A wait of a second or more begins; what this throws ends the call. */
  void beforeWait(Duration delay);
}
