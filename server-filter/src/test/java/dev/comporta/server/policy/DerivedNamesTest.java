package dev.comporta.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comporta.server.policy.Place.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DerivedNamesTest {

  private static final Owner UTIL_DATE = new Owner(java.util.Date.class, Optional.empty());
  private static final Owner SQL_DATE = new Owner(java.sql.Date.class, Optional.empty());
  private static final Owner ENTRY = new Owner(Map.Entry.class, Optional.empty());

  @Test
  void leavesOutThePackage() {
    DerivedNames names = new DerivedNames(List.of(UTIL_DATE, UTIL_DATE, ENTRY));

    assertThat(names.name(UTIL_DATE)).isEqualTo("Date.*");
    assertThat(names.name(ENTRY)).isEqualTo("Map.Entry.*");
  }

  @Test
  void tellsThePackageWhereTwoClassesDifferInNothingElse() {
    for (List<Owner> order : List.of(List.of(UTIL_DATE, SQL_DATE), List.of(SQL_DATE, UTIL_DATE))) {
      DerivedNames names = new DerivedNames(order);

      assertThat(names.name(UTIL_DATE)).isEqualTo("java.util.Date.*");
      assertThat(names.name(SQL_DATE)).isEqualTo("java.sql.Date.*");
    }
  }

  @Test
  void isNoNameThatAnApplicationCouldGive() {
    assertThat(PolicyNames.isValid(new DerivedNames(List.of(ENTRY)).name(ENTRY))).isFalse();
  }
}
