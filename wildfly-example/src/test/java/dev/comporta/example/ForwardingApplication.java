package dev.comporta.example;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** A second application beside that of the contract. */
@ApplicationPath("forwards")
public class ForwardingApplication extends Application {

  @Override
  public Set<Class<?>> getClasses() {
    return Set.of(ForwardingResource.class);
  }
}
