package dev.comporta.example;

/** Ends a request with a {@link Problem}. */
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  /** The request ends with this problem. */
  public ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** What the caller is told. */
  public Problem problem() {
    return problem;
  }
}
