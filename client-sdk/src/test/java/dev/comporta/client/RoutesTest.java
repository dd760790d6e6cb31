package dev.comporta.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutesTest {

  @ParameterizedTest
  @CsvSource({
    "http://api.example, http://api.example:80",
    "http://API.Example:80/x?y#z, http://api.example:80",
    "HTTP://api.example/, http://api.example:80",
    "https://api.example, https://api.example:443",
    "https://api.EXAMPLE:443/a, https://api.example:443",
    "https://api.example:80, https://api.example:80",
    "https://user:secret@api.example/, https://api.example:443",
    "http://[::1]:8080/, http://[::1]:8080",
    "http://my_service:8080/, http://my_service:8080",
    "http://My_Service/, http://my_service:80",
    "https://user:secret@other_service/, https://other_service:443",
    "https://other_service:/, https://other_service:443",
  })
  void originIsSchemeHostAndPortOfWhateverSpelling(URI uri, String origin) {
    assertThat(Routes.origin(uri)).isEqualTo(origin);
  }
}
