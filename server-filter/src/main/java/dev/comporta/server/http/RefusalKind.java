package dev.comporta.server.http;

/** Why a request is not let through. */
public enum RefusalKind {
  /**
   * A limit did not pass.
   *
   * <p><b>Status</b> 429. <b>Tells</b> the limit, and when the request passes.
   */
  OVER_LIMIT(429, Problem.QUOTA_EXCEEDED, true, true),

  /**
   * The request costs more than one of its limits can ever have.
   *
   * <p><b>Status</b> 429. <b>Tells</b> the limit, and no time: waiting does not help.
   */
  NEVER_PASSES(429, Problem.QUOTA_EXCEEDED, true, false),

  /**
   * No store could decide, and the application has chosen to refuse then.
   *
   * <p><b>Status</b> 503, since the caller has done nothing wrong. <b>Tells</b> when it makes sense
   * to ask again.
   */
  NOT_CHECKED(503, Problem.UNSPECIFIC, false, true),

  /**
   * The caller is blocked until an instant.
   *
   * <p><b>Status</b> 429. <b>Tells</b> when the block ends.
   */
  BLOCKED_FOR_NOW(429, Problem.UNSPECIFIC, false, true),

  /**
   * The caller is blocked, and no end is set.
   *
   * <p><b>Status</b> 403. <b>Tells</b> nothing else.
   */
  BLOCKED(403, Problem.UNSPECIFIC, false, false),

  /**
   * A limit needs to know who asks, nobody can tell, and the application has chosen to refuse then.
   *
   * <p><b>Status</b> 403. <b>Tells</b> nothing else.
   */
  CALLER_UNKNOWN(403, Problem.UNSPECIFIC, false, false);

  private final int status;
  private final Problem problem;
  private final boolean hasLimit;
  private final boolean hasTime;

  RefusalKind(int status, Problem problem, boolean hasLimit, boolean hasTime) {
    this.status = status;
    this.problem = problem;
    this.hasLimit = hasLimit;
    this.hasTime = hasTime;
  }

  /** The status code of the answer. */
  public int status() {
    return status;
  }

  /** Whether a limit refuses, so that the answer names it. */
  public boolean hasLimit() {
    return hasLimit;
  }

  /** Whether asking again later can help, so that the answer says when. */
  public boolean hasTime() {
    return hasTime;
  }

  /** The name of the status, for programs: in English whatever the caller reads. */
  String reason() {
    return switch (status) {
      case 403 -> "Forbidden";
      case 429 -> "Too Many Requests";
      case 503 -> "Service Unavailable";
      default -> throw new IllegalStateException("no reason for status " + status);
    };
  }

  String problemType() {
    return problem.type;
  }

  /** The message that says why. */
  String messageKey() {
    return name();
  }

  /** The message that names the type of the problem, the same for every problem of that type. */
  String titleKey() {
    return switch (problem) {
      case QUOTA_EXCEEDED -> "title." + problem;
      case UNSPECIFIC -> "title." + status;
    };
  }

  /*
   * The draft's other two types are not used: temporary-reduced-capacity says that there is less to
   * give, not that nobody knows; abnormal-usage-detected says that a pattern was seen, and a block
   * may have any reason.
   *
   * Source: draft-ietf-httpapi-ratelimit-headers-11, section 5; RFC 9457, section 4.2.1.
   */
  private enum Problem {
    QUOTA_EXCEEDED("https://iana.org/assignments/http-problem-types#quota-exceeded"),
    UNSPECIFIC("about:blank");

    private final String type;

    Problem(String type) {
      this.type = type;
    }
  }
}
