package dev.comporta.client.header;

/**
 * The name of a header field, compared without regard to case. Its hash is computed once: a reader
 * asks for the same names in every response.
 *
 * @param name as it is written in documents
 * @param hash equal for names that differ in case only
 */
record FieldName(String name, int hash) {

  static FieldName of(String name) {
    return new FieldName(name, hash(name));
  }

  /** Setting bit 5 makes ASCII letters small; what else it makes equal is told apart afterwards. */
  static int hash(String name) {
    int hash = 0;
    for (int i = 0; i < name.length(); i++) {
      hash = 31 * hash + (name.charAt(i) | 0x20);
    }
    return hash ^ (hash >>> 16);
  }

  boolean is(String other, int otherHash) {
    return hash == otherHash && name.equalsIgnoreCase(other);
  }
}
