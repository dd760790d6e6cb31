package dev.comporta.server.filter;

import dev.comporta.server.http.Refusal;
import dev.comporta.server.http.RefusalAnswer;
import dev.comporta.server.policy.PolicyBinding;
import dev.comporta.server.policy.Resolution;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Lets a request pass, or answers it. */
abstract class AdmissionFilter implements ContainerRequestFilter {

  private final Phase phase;

  /* The server injects both before the first request. */
  @Context private @Nullable Configuration configuration;
  @Context private @Nullable ResourceInfo resource;

  AdmissionFilter(Phase phase) {
    this.phase = phase;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    LimitedApplication application =
        LimitedApplication.of(Objects.requireNonNull(configuration, "configuration"));
    Resolution resolution = application.resolve(Objects.requireNonNull(resource, "resource"));
    if (resolution instanceof Resolution.Unlimited) {
      return;
    }
    Limiter limiter = application.limiter(configuration);
    RequestQuotas.leaveOn(request, limiter);
    if (resolution instanceof Resolution.Limited limited) {
      admit(request, limiter, limited.binding());
    }
  }

  private void admit(ContainerRequestContext request, Limiter limiter, PolicyBinding binding) {
    if (!phase.decides(binding.policy()) || Admission.of(request).isPresent()) {
      return;
    }
    Admission admission = limiter.decide(request, binding);
    admission.leaveOn(request);
    admission.refusal().ifPresent(refusal -> request.abortWith(response(request, refusal)));
  }

  /* Bytes, since a server's JSON library might quote a string once more. */
  private static Response response(ContainerRequestContext request, Refusal refusal) {
    RefusalAnswer answer =
        RefusalAnswer.of(
            refusal,
            header(request, HttpHeaders.ACCEPT),
            header(request, HttpHeaders.ACCEPT_LANGUAGE));
    Response.ResponseBuilder builder =
        Response.status(answer.status())
            .type(answer.mediaType())
            .entity(answer.body().getBytes(StandardCharsets.UTF_8));
    answer.headers().forEach(builder::header);
    return builder.build();
  }

  private static Optional<String> header(ContainerRequestContext request, String name) {
    return Optional.ofNullable(request.getHeaderString(name));
  }
}
