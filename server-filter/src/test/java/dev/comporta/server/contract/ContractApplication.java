package dev.comporta.server.contract;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.Set;

/** The application that {@link RateLimitContract} asks. It says nothing of the filter itself. */
@ApplicationPath("api")
public class ContractApplication extends Application {

  /** Everything that the suite needs. */
  public static final Set<Class<?>> CLASSES =
      Set.of(
          AnswersResource.class,
          LimitsResource.class,
          CallersResource.class,
          OverriddenResource.class,
          ExemptResource.class,
          UnlimitedResource.class,
          HealthResource.class,
          QuotasResource.class,
          ChargesResource.class,
          PoliciesResource.class,
          BodiesResource.class,
          Declarations.ByInterfaceMethod.class,
          Declarations.ByInterfaceType.class,
          Declarations.BySuperclass.class,
          Declarations.ByOverriddenMethod.class,
          Declarations.ByComposedAnnotation.class,
          Declarations.ByComposedAnnotationOnClass.class,
          Declarations.ByLocator.class,
          ContractFailure.Mapper.class,
          ContractFilters.Authentication.class,
          ContractFilters.Cors.class,
          ContractFilters.TellQuotas.class,
          ContractFilters.Spending.class);

  @Override
  public Set<Class<?>> getClasses() {
    return CLASSES;
  }
}
