package dev.comporta.client;

import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;

/** Gives a request to the {@link MethodCall} whose thread sends it, and tells that the answer. */
final class MethodCallFilter implements ClientRequestFilter, ClientResponseFilter {

  private static final String SENDING = "dev.comporta.client.sending";

  private final PacingFilter pacing;

  MethodCallFilter(PacingFilter pacing) {
    this.pacing = pacing;
  }

  @Override
  public void filter(ClientRequestContext request) {
    MethodCall.Sending sending = MethodCall.current();
    if (sending != null) {
      request.setProperty(SENDING, sending);
      request.setProperty(PacingFilter.CALL, sending.paced());
      sending.left(request);
    }
    pacing.filter(request);
  }

  @Override
  public void filter(ClientRequestContext request, ClientResponseContext response) {
    if (request.getProperty(SENDING) instanceof MethodCall.Sending sending) {
      sending.answered(response);
    }
    pacing.filter(request, response);
  }
}
