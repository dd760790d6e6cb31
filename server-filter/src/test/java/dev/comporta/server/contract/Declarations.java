package dev.comporta.server.contract;

import dev.comporta.server.api.RateLimited;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * The places where an annotation can stand and Jakarta REST, or some servers, would not bind it:
 * each would be a resource without a limit, and nobody would know.
 */
public final class Declarations {

  private Declarations() {}

  /** Declares a limit on its method. */
  public interface LimitedMethod {

    /** 200, three times. */
    @RateLimited("3/1h")
    String get();
  }

  /** Implements it. */
  @Path("declared/interface-method")
  public static class ByInterfaceMethod implements LimitedMethod {

    @GET
    @Override
    public String get() {
      return "ok";
    }
  }

  /** Declares a limit on itself. */
  @RateLimited("3/1h")
  public interface LimitedType {

    /** 200, three times. */
    String get();
  }

  /** Implements it. */
  @Path("declared/interface-type")
  public static class ByInterfaceType implements LimitedType {

    @GET
    @Override
    public String get() {
      return "ok";
    }
  }

  /** Declares a limit on itself. */
  @RateLimited("3/1h")
  public abstract static class LimitedSuperclass {

    /** 200, three times. */
    @GET
    public String get() {
      return "ok";
    }
  }

  /** Inherits. */
  @Path("declared/superclass")
  public static class BySuperclass extends LimitedSuperclass {}

  /** Declares a limit on its method. */
  public abstract static class LimitedSuperMethod {

    /** 200, three times. */
    @GET
    @RateLimited("3/1h")
    public String get() {
      return "ok";
    }
  }

  /** Overrides it. */
  @Path("declared/overridden-method")
  public static class ByOverriddenMethod extends LimitedSuperMethod {

    @GET
    @Override
    public String get() {
      return "ok";
    }
  }

  /** An annotation that carries a limit. */
  @RateLimited("3/1h")
  @Retention(RetentionPolicy.RUNTIME)
  public @interface ThreeAnHour {}

  /** Uses it on a method. */
  @Path("declared/composed")
  public static class ByComposedAnnotation {

    /** 200, three times. */
    @GET
    @ThreeAnHour
    public String get() {
      return "ok";
    }
  }

  /** Uses it on a class. */
  @Path("declared/composed-class")
  @ThreeAnHour
  public static class ByComposedAnnotationOnClass {

    /** 200, three times. */
    @GET
    public String get() {
      return "ok";
    }
  }

  /** Locates sub-resources, which Jakarta REST knows only when they are first asked for. */
  @Path("declared/locator")
  public static class ByLocator {

    /** One with an annotated method. */
    @Path("method")
    public LimitedPart method() {
      return new LimitedPart();
    }

    /** One of an annotated class. */
    @Path("class")
    public LimitedPartClass type() {
      return new LimitedPartClass();
    }

    /** One that only its interface annotates. */
    @Path("interface")
    public Object byInterface() {
      return new LimitedPartByInterface();
    }
  }

  /** A sub-resource. */
  public static class LimitedPart {

    /** 200, three times. */
    @GET
    @RateLimited("3/1h")
    public String get() {
      return "ok";
    }
  }

  /** A sub-resource. */
  @RateLimited("3/1h")
  public static class LimitedPartClass {

    /** 200, three times. */
    @GET
    public String get() {
      return "ok";
    }
  }

  /** A sub-resource. */
  public static class LimitedPartByInterface implements LimitedType {

    @GET
    @Override
    public String get() {
      return "ok";
    }
  }
}
