package dev.comporta.client;

import org.eclipse.microprofile.rest.client.ext.AsyncInvocationInterceptor;
import org.eclipse.microprofile.rest.client.ext.AsyncInvocationInterceptorFactory;
import org.jspecify.annotations.Nullable;

/** Takes the {@link MethodCall} of a thread to the one in which the request is sent. */
final class MethodCallPassage implements AsyncInvocationInterceptorFactory {

  @Override
  public AsyncInvocationInterceptor newInterceptor() {
    return new Passage();
  }

  private static final class Passage implements AsyncInvocationInterceptor {

    private volatile MethodCall.@Nullable Sending taken;

    @Override
    public void prepareContext() {
      taken = MethodCall.current();
    }

    @Override
    public void applyContext() {
      MethodCall.current(taken);
    }

    @Override
    public void removeContext() {
      MethodCall.current(null);
    }
  }
}
