package dev.comporta.client.header;

import dev.comporta.client.header.Throttle.Resending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Reads one response, as one vendor writes it. Of one thread. */
final class ResponseReader {

  private static final List<NumberWindows> TRIOS =
      List.of(trio("RateLimit-"), trio("X-RateLimit-"), trio("X-Rate-Limit-"));
  private static final String VIOLATED = "violated-policies";

  /** Names the bucket of a server that gives its limit no name. */
  private static final String ONLY_BUCKET = "*";

  private final HeaderLines header;
  private final Profile any;
  private final Optional<Profile> vendor;
  private final Reading reading;

  private boolean isByVendor;
  private boolean arePoliciesNamed;

  /**
   * A reader of one response.
   *
   * @param any how servers write that are not known
   * @param vendor how this one writes, where it is known
   */
  ResponseReader(ResponseHead response, HeaderLines header, Profile any, Optional<Profile> vendor) {
    this.header = header;
    this.any = any;
    this.vendor = vendor;
    Reading bare = new Reading(response.status(), header, response.body(), Optional.empty());
    Optional<Duration> wait = any.wait(bare);
    this.reading =
        new Reading(
            response.status(),
            header,
            response.body(),
            wait.isPresent() || vendor.isEmpty() ? wait : vendor.get().wait(bare));
  }

  RateLimitSnapshot read() {
    List<Window> told = told();
    Throttle throttle = throttle(told);
    boolean isPlain = reading.retryAfter().isEmpty() && throttle.equals(Throttle.NONE);
    if (told.isEmpty() && isPlain) {
      return RateLimitSnapshot.NOTHING;
    }
    List<Window> windows = only(true, told);
    RateLimitSnapshot snapshot =
        new RateLimitSnapshot(
            windows,
            reading.retryAfter(),
            bucket(windows),
            only(false, told),
            Optional.empty(),
            throttle);
    Optional<String> policy = policyName(snapshot);
    return policy.isEmpty() ? snapshot : snapshot.withPolicyName(policy);
  }

  private List<Window> told() {
    List<Window> ofVendor = ofVendor();
    if (!ofVendor.isEmpty()) {
      isByVendor = true;
      arePoliciesNamed = vendor.get().naming().arePoliciesNamed();
      return ofVendor;
    }
    List<Window> structured = StructuredLimits.read(header);
    arePoliciesNamed = !structured.isEmpty();
    if (arePoliciesNamed) {
      return structured;
    }
    for (NumberWindows trio : TRIOS) {
      List<Window> plain = trio.read(reading);
      if (!plain.isEmpty()) {
        return plain;
      }
    }
    arePoliciesNamed = true;
    return StructuredLimits.policiesAlone(header);
  }

  private List<Window> ofVendor() {
    if (vendor.isEmpty()) {
      return List.of();
    }
    List<Window> windows = List.of();
    for (WindowForm form : vendor.get().windows()) {
      List<Window> more = form.read(reading);
      if (windows.isEmpty()) {
        windows = more;
      } else if (!more.isEmpty()) {
        windows = new ArrayList<>(windows);
        windows.addAll(more);
      }
    }
    return withReset(windows, vendor.get().naming().resetFields());
  }

  /** The end that a field tells is that of the tightest window, where the vendor says so. */
  private List<Window> withReset(List<Window> windows, List<FieldName> fields) {
    for (FieldName field : fields) {
      Optional<Window> tightest =
          new RateLimitSnapshot(windows, Optional.empty(), Optional.empty()).tightest();
      Optional<Duration> reset =
          header.first(field).flatMap(text -> ResetHeader.resetAfter(text, reading));
      if (tightest.isPresent() && reset.isPresent()) {
        List<Window> completed = new ArrayList<>(windows);
        completed.set(windows.indexOf(tightest.get()), tightest.get().withResetAfter(reset.get()));
        return completed;
      }
    }
    return windows;
  }

  private Throttle throttle(List<Window> told) {
    boolean isRefusal =
        any.isRefusal(reading, told)
            || (vendor.isPresent() && vendor.get().isRefusal(reading, told));
    Resending resending = any.resending(reading);
    if (resending == Resending.NOT_TOLD && vendor.isPresent()) {
      resending = vendor.get().resending(reading);
    }
    if (!isRefusal && resending == Resending.NOT_TOLD) {
      return Throttle.NONE;
    }
    Optional<Duration> usualWait = vendor.flatMap(profile -> profile.rules().usualWait());
    return new Throttle(isRefusal, resending, usualWait);
  }

  private Optional<String> bucket(List<Window> windows) {
    if (windows.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> given = givenName();
    if (given.isPresent()) {
      return given;
    }
    boolean isOfVendor = isByVendor && !vendor.orElse(any).naming().areBucketsNamed();
    return Optional.of(isOfVendor ? vendor.orElse(any).name() : names(windows));
  }

  private Optional<String> policyName(RateLimitSnapshot snapshot) {
    Optional<String> name = vendor.flatMap(profile -> given(profile.naming().policyFields()));
    if (name.isEmpty() && !snapshot.windows().isEmpty()) {
      name = givenName();
    }
    if (name.isEmpty() && arePoliciesNamed) {
      name = snapshot.tightest().flatMap(Window::policyName);
    }
    if (name.isEmpty() && reading.isError()) {
      name = reading.body().flatMap(body -> JsonScan.values(body, VIOLATED).stream().findFirst());
    }
    return name;
  }

  private Optional<String> givenName() {
    Optional<String> ofVendor = vendor.flatMap(profile -> given(profile.naming().bucketFields()));
    return ofVendor.isPresent() ? ofVendor : given(any.naming().bucketFields());
  }

  private Optional<String> given(List<FieldName> fields) {
    for (FieldName field : fields) {
      Optional<String> value = header.first(field);
      if (value.isPresent()) {
        return value;
      }
    }
    return Optional.empty();
  }

  private static List<Window> only(boolean areRequests, List<Window> told) {
    int count = 0;
    for (Window window : told) {
      count += isOfRequests(window) == areRequests ? 1 : 0;
    }
    if (count == told.size() || count == 0) {
      return count == 0 ? List.of() : told;
    }
    return told.stream().filter(window -> isOfRequests(window) == areRequests).toList();
  }

  private static boolean isOfRequests(Window window) {
    return window.countsRequests() && window.isCounted();
  }

  private static String names(List<Window> windows) {
    if (windows.size() == 1) {
      return windows.get(0).name().orElse(ONLY_BUCKET);
    }
    TreeSet<String> names = new TreeSet<>();
    windows.forEach(window -> names.add(window.name().orElse(ONLY_BUCKET)));
    return String.join(",", names);
  }

  private static NumberWindows trio(String prefix) {
    return new NumberWindows(NumberFields.prefixed(prefix), NumberWindows.Labels.NONE);
  }
}
