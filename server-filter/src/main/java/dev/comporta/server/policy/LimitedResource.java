package dev.comporta.server.policy;

/**
 * A limited resource method, as the caller of an API sees it.
 *
 * @param httpMethod {@code GET}
 * @param path its template, without the path of the application and without a slash at either end
 * @param policy what limits it
 */
public record LimitedResource(String httpMethod, String path, Policy policy) {}
