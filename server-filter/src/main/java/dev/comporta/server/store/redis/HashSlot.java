package dev.comporta.server.store.redis;

import dev.comporta.server.store.KeyedLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;

/**
 * The slot of a Redis cluster in which a key lies: the CRC16 (XMODEM) of its hash tag, which is
 * what stands between the first brace and the next closing one, or of the whole key if that is
 * nothing.
 */
final class HashSlot {

  private static final int SLOTS = 16_384;
  private static final int POLYNOMIAL = 0x1021;
  private static final int TOP_BIT = 0x8000;
  private static final int SIXTEEN_BITS = 0xFFFF;

  private HashSlot() {}

  /** The slot of that key, 0 to 16383. */
  static int of(String key) {
    return crc16(hashed(key).getBytes(StandardCharsets.UTF_8)) % SLOTS;
  }

  /** The slot in which all of these lie; empty if they lie in several, or are none. */
  static OptionalInt ofAll(List<KeyedLimit> limits) {
    OptionalInt slot = OptionalInt.empty();
    for (KeyedLimit limit : limits) {
      int own = of(limit.key());
      if (slot.isPresent() && slot.getAsInt() != own) {
        return OptionalInt.empty();
      }
      slot = OptionalInt.of(own);
    }
    return slot;
  }

  private static String hashed(String key) {
    int open = key.indexOf('{');
    int close = open < 0 ? -1 : key.indexOf('}', open);
    return close > open + 1 ? key.substring(open + 1, close) : key;
  }

  private static int crc16(byte[] bytes) {
    int crc = 0;
    for (byte some : bytes) {
      crc ^= (some & 0xFF) << 8;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & TOP_BIT) == 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
      }
      crc &= SIXTEEN_BITS;
    }
    return crc;
  }
}
