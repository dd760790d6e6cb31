package dev.comporta.client.retry;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A response of whichever HTTP client, as far as its limits and what follows it are concerned. */
public interface Reply {

  int status();

  /** The lines of each field, by its name in any case. */
  Map<String, List<String>> headers();

  /** The text of a refusal, if it is short and may tell a wait; it stays readable. */
  Optional<String> refusalText();

  /** Gives up what it holds, so that its connection can be used again. Never throws. */
  void discard();
}
