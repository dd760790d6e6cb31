package dev.comporta.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.comporta.client.header.HeaderReader;
import dev.comporta.client.header.RateLimitDialect;
import dev.comporta.client.header.RateLimitSnapshot;
import dev.comporta.client.header.ResponseHead;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Reads the head of a response and prints what the client would make of it. */
@Command(
    name = "explain",
    description = {
      "Reads the head of a response on standard input, as curl -sI prints it, and prints as JSON"
          + " what the client makes of it.",
      "What a response does not tell is left out."
    },
    mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {

  /** Far more than any head; the rest is not read. */
  private static final int LONGEST_INPUT = 1 << 20;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--received-at",
      paramLabel = "INSTANT",
      description = "When the response was received, such as 2026-11-30T12:00:00Z; now by default.")
  private @Nullable Instant receivedAt;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "What was requested: some vendors are known by their host only.")
  private @Nullable URI url;

  @Override
  public Integer call() throws IOException {
    String input = new String(System.in.readNBytes(LONGEST_INPUT), UTF_8);
    if (input.isBlank()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "the head of a response must be given on standard input");
    }
    Instant received = Optional.ofNullable(receivedAt).orElseGet(Instant::now);
    Optional<String> host = Optional.ofNullable(url).map(URI::getHost);
    ResponseHead head = HeadText.parse(input, host, received);
    RateLimitSnapshot snapshot = HeaderReader.read(head, RateLimitDialect.installed());
    PrintStream out = new PrintStream(System.out, true, UTF_8);
    out.println(Explanation.json(head, snapshot));
    return 0;
  }
}
