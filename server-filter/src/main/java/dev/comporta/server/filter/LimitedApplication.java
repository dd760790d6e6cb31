package dev.comporta.server.filter;

import dev.comporta.server.api.RateLimits;
import dev.comporta.server.cdi.Beans;
import dev.comporta.server.cdi.Registry;
import dev.comporta.server.config.Settings;
import dev.comporta.server.config.SettingsReader;
import dev.comporta.server.config.SettingsWatch;
import dev.comporta.server.config.Source;
import dev.comporta.server.http.RateLimitHeaders;
import dev.comporta.server.limiter.RunningLimits;
import dev.comporta.server.policy.InvalidPolicyException;
import dev.comporta.server.policy.PolicyCatalog;
import dev.comporta.server.policy.PolicyFault;
import dev.comporta.server.policy.Resolution;
import jakarta.ws.rs.core.Configuration;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that the filters of one Jakarta REST application share: settings, policies, and the limiter.
 * It lives in the configuration of that application, so that two applications in one process do not
 * share it. Thread-safe.
 */
final class LimitedApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LimitedApplication.class);

  private static final String PROPERTY = "dev.comporta.server.application";

  private final SettingsReader.Reading reading;
  private final PolicyCatalog catalog;
  private final List<PolicyFault> storeFaults;
  private final RateLimitHeaders headers;
  private final Optional<Class<?>> application;
  private final String defaultNamespace;
  private final AtomicBoolean isTold = new AtomicBoolean();
  private volatile boolean isChecked;
  private volatile @Nullable Running running; // null until opened, and once closed
  private boolean isClosed; // guarded by this
  private Registry.@Nullable Registration operations; // null until shown; guarded by this

  private LimitedApplication(
      SettingsReader.Reading reading, Optional<Class<?>> application, String defaultNamespace) {
    this.reading = reading;
    this.application = application;
    this.defaultNamespace = defaultNamespace;
    this.catalog =
        new PolicyCatalog(
            reading.settings().policies(),
            application,
            reading.lookup(),
            Composition.policyCheck(reading.settings().store()));
    this.storeFaults = Composition.faults(reading.settings().store());
    this.headers = new RateLimitHeaders(reading.settings().headers());
  }

  /** Reads the settings. Faults are kept until someone asks. */
  static LimitedApplication read(Optional<Class<?>> application) {
    String defaultNamespace =
        application
            .map(LimitedApplication::writtenName)
            .filter(name -> !name.isEmpty())
            .orElse("default");
    return new LimitedApplication(
        SettingsReader.read(Source.ofServer(), defaultNamespace), application, defaultNamespace);
  }

  /* A proxy that CDI generates is called as the class behind it, a dollar sign, and more. */
  private static String writtenName(Class<?> type) {
    return type.getSimpleName().split("\\$", 2)[0];
  }

  /** The one of that Jakarta REST application, if it has been put there. */
  static Optional<LimitedApplication> find(Configuration configuration) {
    return Optional.ofNullable((LimitedApplication) configuration.getProperty(PROPERTY));
  }

  /**
   * The one of that Jakarta REST application.
   *
   * @throws IllegalStateException if {@link RateLimitFeature} has not put it there
   */
  static LimitedApplication of(Configuration configuration) {
    return find(configuration)
        .orElseThrow(
            () ->
                new IllegalStateException("RateLimitFeature must be registered, not its filters"));
  }

  /** The name under which it is put into the configuration. */
  static String property() {
    return PROPERTY;
  }

  Settings settings() {
    return reading.settings();
  }

  PolicyCatalog catalog() {
    return catalog;
  }

  RateLimitHeaders headers() {
    return headers;
  }

  /**
   * What applies to the resource method of a request.
   *
   * @throws InvalidPolicyException if that is faulty; or, where no hook could stop the deployment,
   *     if anything is
   */
  Resolution resolve(@Nullable Class<?> type, @Nullable Method method) {
    if (!isChecked) {
      requireNoFaults();
    }
    Running current = running;
    if (current != null) {
      current.refresh();
    }
    return type == null || method == null || isOfServer(method)
        ? new Resolution.Unlimited()
        : catalog.resolve(type, method);
  }

  /**
   * Whether nobody has written that resource method: Jersey shows its own answers to OPTIONS and
   * for WADL, which an annotated {@code Application} binds too.
   */
  static boolean isOfServer(Method method) {
    return method.getDeclaringClass().getName().startsWith("org.glassfish.jersey.");
  }

  /**
   * Does nothing if all is well.
   *
   * @throws InvalidPolicyException with every fault that is known
   */
  void requireNoFaults() {
    List<PolicyFault> faults = faults();
    if (faults.isEmpty()) {
      isChecked = true;
      return;
    }
    InvalidPolicyException invalid = new InvalidPolicyException(faults);
    if (isTold.compareAndSet(false, true)) {
      LOG.error(invalid.getMessage());
    }
    throw invalid;
  }

  /** Logs what is odd and stops nothing. For the hook that ends discovery. */
  void tellWarnings() {
    reading.warnings().forEach(warning -> LOG.warn("{}", warning));
    catalog.warnings().forEach(warning -> LOG.warn("{}", warning));
  }

  /**
   * Opens the limiter while the application starts, so that no request waits for a connection; does
   * nothing if the settings are faulty, which then stops the start.
   */
  void openAtStart(Configuration configuration) {
    if (reading.faults().isEmpty() && storeFaults.isEmpty()) {
      open(configuration);
    }
  }

  /**
   * What runs, opened if it was not at the start.
   *
   * @throws IllegalStateException if the application has been closed: a request that comes while it
   *     is undeployed must not open a store that nobody closes
   */
  Running running(Configuration configuration) {
    Running opened = running;
    return opened != null ? opened : open(configuration);
  }

  /** Shows to the OpenAPI document which operations are limited, once all are discovered. */
  synchronized void showOperations() {
    if (operations == null && !isClosed) {
      operations = Operations.publish(catalog, settings(), application);
    }
  }

  /**
   * What runs; nothing once the application has been closed. For a request that was decided before,
   * and must be answered after.
   */
  Optional<Running> runningStill() {
    return Optional.ofNullable(running);
  }

  /** Its limits, for its own code. */
  RateLimits limits(Configuration configuration) {
    return new RunningLimits(catalog, () -> running(configuration).limiter());
  }

  private synchronized Running open(Configuration configuration) {
    if (isClosed) {
      throw new IllegalStateException("the application has been undeployed");
    }
    Running opened = running;
    if (opened == null) {
      opened = Running.open(this, configuration);
      running = opened;
      if (Libraries.hasServlets()) {
        ServletStop.closeAtUndeploy(this);
      }
    }
    return opened;
  }

  /** Reads the settings again, when that is due. */
  SettingsWatch watch(long nowMicros) {
    return new SettingsWatch(Source::ofServer, defaultNamespace, settings(), nowMicros);
  }

  /** Frees what the store holds, for good. Closing twice is harmless. */
  @Override
  public synchronized void close() {
    isClosed = true;
    if (operations != null) {
      operations.close();
    }
    Running opened = running;
    if (opened != null) {
      opened.close();
      running = null;
    }
  }

  private List<PolicyFault> faults() {
    List<PolicyFault> faults = new ArrayList<>(reading.faults());
    faults.addAll(storeFaults);
    faults.addAll(catalog.faults());
    faults.addAll(unusableClasses());
    return faults;
  }

  /* While beans cannot be looked up yet, nobody knows which classes are beans. */
  private List<PolicyFault> unusableClasses() {
    List<PolicyFault> unusable = new ArrayList<>();
    if (Beans.areSettled()) {
      for (Class<?> type : catalog.namedClasses()) {
        try {
          Beans.of(type);
        } catch (IllegalArgumentException cannotBeMade) {
          unusable.add(new PolicyFault(type.getName(), String.valueOf(cannotBeMade.getMessage())));
        }
      }
    }
    return unusable;
  }
}
