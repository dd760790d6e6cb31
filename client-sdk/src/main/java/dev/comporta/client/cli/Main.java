package dev.comporta.client.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code java -jar comporta-client-sdk-cli.jar explain}. */
@Command(
    name = "comporta",
    description = "Tells what the client makes of a response.",
    mixinStandardHelpOptions = true,
    subcommands = ExplainCommand.class,
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable {

  private final CommandLine line = new CommandLine(this);

  /** Runs a command, and ends with 0, or with 2 when it cannot be understood. */
  public static void main(String[] args) {
    System.exit(new Main().line.execute(args));
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(line, "a command must be given: explain");
  }
}
