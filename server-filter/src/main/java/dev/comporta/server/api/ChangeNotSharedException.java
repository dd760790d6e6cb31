package dev.comporta.server.api;

/**
 * A change by {@link RateLimits} that the store of all nodes did not confirm. This node has not
 * changed: no node acts by a change that the others cannot see.
 */
public final class ChangeNotSharedException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private final boolean mayBeShared;

  /**
   * Says why.
   *
   * @param reason what the store said, without a caller
   * @param mayBeShared as {@link #mayBeShared()}
   */
  public ChangeNotSharedException(String reason, boolean mayBeShared) {
    super(
        (mayBeShared
                ? "the store did not confirm the change; if it took it, every node follows, else"
                    + " nothing has changed: "
                : "nothing has changed, on no node: ")
            + reason);
    this.mayBeShared = mayBeShared;
  }

  /**
   * Whether the store may have taken the change though its answer is missing: then every node
   * follows it, this one too, and making it once more does no harm. If not, nothing has changed.
   */
  public boolean mayBeShared() {
    return mayBeShared;
  }
}
