package dev.comporta.server.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A refusal as it is sent: in the form and the language that its caller likes best. Immutable.
 *
 * <pre>{@code
 * {"error":"Too Many Requests","message":"Too many requests. Try again in 60 seconds.",
 *  "retryAfter":60,"policy":"search-1m"}
 * }</pre>
 *
 * @param status the status code
 * @param headers names and values beside those that tell quotas and {@code Content-Type}, in the
 *     order in which they are sent
 * @param mediaType what the body is, for {@code Content-Type}
 * @param body to be sent in UTF-8; never empty
 */
public record RefusalAnswer(
    int status, Map<String, String> headers, String mediaType, String body) {

  /** Copies what it is given. */
  public RefusalAnswer {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /**
   * The answer to who sent these headers. It depends on nothing else, and is made of anything that
   * they hold, in bounded time.
   *
   * @param accept the value of {@code Accept}, several lines joined by commas; empty if there is
   *     none
   * @param acceptLanguage the same of {@code Accept-Language}
   */
  public static RefusalAnswer of(
      Refusal refusal, Optional<String> accept, Optional<String> acceptLanguage) {
    BodyForm form = BodyForm.chosenBy(accept);
    Language language = Language.chosenBy(acceptLanguage);
    Map<String, String> headers = new LinkedHashMap<>(refusal.headers());
    headers.put("Content-Language", language.tag());
    headers.put("Vary", "Accept, Accept-Language");
    return new RefusalAnswer(
        refusal.status(), headers, form.mediaType(), body(refusal, form, language));
  }

  private static String body(Refusal refusal, BodyForm form, Language language) {
    return switch (form) {
      case JSON -> json(refusal, language);
      case PROBLEM -> problem(refusal, language);
      case TEXT -> language.explain(refusal);
    };
  }

  private static String json(Refusal refusal, Language language) {
    JsonObject json =
        new JsonObject()
            .with("error", refusal.kind().reason())
            .with("message", language.explain(refusal));
    refusal.retryAfterSeconds().ifPresent(seconds -> json.with("retryAfter", seconds));
    refusal.limit().ifPresent(limit -> json.with("policy", limit));
    return json.toString();
  }

  private static String problem(Refusal refusal, Language language) {
    JsonObject json =
        new JsonObject()
            .with("type", refusal.kind().problemType())
            .with("title", language.title(refusal))
            .with("status", refusal.status())
            .with("detail", language.explain(refusal));
    refusal.limit().ifPresent(limit -> json.with("violated-policies", List.of(limit)));
    refusal.retryAfterSeconds().ifPresent(seconds -> json.with("retryAfter", seconds));
    return json.toString();
  }
}
