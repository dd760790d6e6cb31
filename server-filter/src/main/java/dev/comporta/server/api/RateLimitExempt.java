package dev.comporta.server.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps a resource method, or all methods of a class, out of every limit: nothing is counted, no
 * rate limit header is sent. The nearest annotation wins: a {@link RateLimited} method of an exempt
 * class is limited, an exempt method of a limited class is not.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface RateLimitExempt {}
