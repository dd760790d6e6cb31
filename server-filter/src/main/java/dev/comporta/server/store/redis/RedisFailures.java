package dev.comporta.server.store.redis;

import dev.comporta.server.store.StoreException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Redisson throws, as the exception of a store. Redisson puts the arguments of the command
 * into its messages, and with them keys; so only the reply of the server is kept, and no cause.
 */
final class RedisFailures {

  /** Replies after which asking again is useless, by how they begin. */
  private static final List<String> PERMANENT =
      List.of("UNREADABLE", "CALENDAR", "WRONGTYPE", "CROSSSLOT", "NOPERM", "ERR");

  /** Where Redisson goes on after the reply of the server. */
  private static final String END_OF_REPLY = ". channel:";

  /** Where Redisson begins to name the arguments of a command, a password among them. */
  private static final Pattern ARGUMENTS =
      Pattern.compile("\\. channel:|,? *command:|params:|data:", Pattern.CASE_INSENSITIVE);

  /**
   * What Redis before 7 puts before the error of a command that a script ran, which 7 tells as it
   * is.
   */
  private static final Pattern OF_SCRIPT =
      Pattern.compile(
          "^ERR Error running script \\(call to f_\\p{XDigit}+\\): (?:@user_script: ?\\d+: )+-?"
              + "(?=\\p{Upper}{2,} )");

  private static final String ANSWERED = "Redis answered ";

  private RedisFailures() {}

  /**
   * The failure of a connection, of which Redisson's words are kept up to those that name
   * arguments.
   */
  static StoreException ofConnecting(Throwable thrown) {
    String words = String.valueOf(thrown.getMessage());
    Matcher arguments = ARGUMENTS.matcher(words);
    String safe = arguments.find() ? words.substring(0, arguments.start()) : words;
    return new StoreException("Redis cannot be reached: " + safe.strip());
  }

  static StoreException of(Throwable thrown) {
    Throwable cause = thrown;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof StoreException known) {
      return known;
    }
    String message = String.valueOf(cause.getMessage());
    int end = message.indexOf(END_OF_REPLY);
    if (end < 0) {
      return new StoreException("Redis gave no answer: " + cause.getClass().getSimpleName());
    }
    return ofReply(message.substring(0, end));
  }

  /** Whether Redis answered with an error, so that it is known what has happened. */
  static boolean isReply(StoreException failure) {
    return String.valueOf(failure.getMessage()).startsWith(ANSWERED);
  }

  /** Whether nobody was there to send a command to. */
  static boolean isUnsent(Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && !(cause instanceof ConnectException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /** An error that Redis or the script answered. */
  static StoreException ofReply(String text) {
    String reply = OF_SCRIPT.matcher(text).replaceFirst("");
    return PERMANENT.stream().anyMatch(reply::startsWith)
        ? StoreException.permanent(ANSWERED + reply)
        : new StoreException(ANSWERED + reply);
  }
}
