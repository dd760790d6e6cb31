package dev.comporta.client;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** The bytes of an entity as it is written, up to a bound. Of one thread at a time. */
final class WrittenEntity {

  /** An entity above this is not kept, since every request under way would hold as much. */
  static final int LARGEST = 1 << 20;

  private Optional<Copy> copy = Optional.empty();

  /**
   * A stream that keeps what is written to it. Whatever the interceptors of the application put
   * around it, this is what the connector is given.
   */
  OutputStream keeping(OutputStream out) {
    Copy made = new Copy(out);
    copy = Optional.of(made);
    return made;
  }

  /** All that was written; empty when that was too much, or nothing was kept. */
  Optional<byte[]> bytes() {
    return copy.flatMap(Copy::whole);
  }

  private static final class Copy extends FilterOutputStream {

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private boolean isWhole = true;

    Copy(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      if (hasRoomFor(1)) {
        kept.write(value);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      if (hasRoomFor(length)) {
        kept.write(bytes, offset, length);
      }
    }

    private boolean hasRoomFor(int length) {
      if (isWhole && length > LARGEST - kept.size()) {
        isWhole = false;
        kept.reset();
      }
      return isWhole;
    }

    Optional<byte[]> whole() {
      return isWhole ? Optional.of(kept.toByteArray()) : Optional.empty();
    }
  }
}
