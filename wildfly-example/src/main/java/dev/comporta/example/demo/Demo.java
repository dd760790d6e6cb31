package dev.comporta.example.demo;

import dev.comporta.client.RateLimitedClient;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Two clients, one after the other, want more books than the running example allows: a plain one,
 * and the same one wrapped by {@link RateLimitedClient}. Tells what each sent and what it got.
 */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Sends the running example more than it allows, with a plain and a wrapped client.")
public final class Demo implements Callable<Integer> {

  @Option(
      names = "--url",
      defaultValue = "http://127.0.0.1:8080/",
      description = "The example (${DEFAULT-VALUE}).")
  private String url = "";

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "How long each client runs (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--threads",
      defaultValue = "8",
      description = "How many threads each has (${DEFAULT-VALUE}).")
  private int threads;

  @Option(names = "--key", description = "Sent as X-API-Key: demo-free or demo-premium.")
  private Optional<String> key = Optional.empty();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs both clients. */
  public static void main(String... arguments) {
    int code = new CommandLine(new Demo()).execute(arguments);
    if (code != 0) {
      System.exit(code);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Race race = new Race(url, key, threads, Duration.ofSeconds(seconds));
    out.printf("%d threads for %d s each, on one book of %s%n", threads, seconds, url);
    out.printf(
        "%-8s %8s %9s %8s %22s%n", "client", "sent", "answered", "refused", "of what was allowed");
    tell(out, "plain", run(race, UnaryOperator.identity()));
    tell(out, "wrapped", run(race, RateLimitedClient::wrap));
    return CommandLine.ExitCode.OK;
  }

  /** Runs a client made that way from a plain one. */
  static Race.Outcome run(Race race, UnaryOperator<Client> making) throws InterruptedException {
    Tally tally = new Tally();
    try (Client asking = ClientBuilder.newClient();
        Client sending = making.apply(ClientBuilder.newClient().register(tally))) {
      return race.run(sending, tally, race.allowance(asking));
    }
  }

  private static void tell(PrintWriter out, String name, Race.Outcome outcome) {
    Tally tally = outcome.tally();
    out.printf(
        "%-8s %8d %9d %8d %20d %%%n",
        name, tally.sent(), tally.answered(), tally.refused(), outcome.percentUsed());
    out.flush();
  }
}
