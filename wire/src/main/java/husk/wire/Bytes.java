package husk.wire;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bytes as a value: equal when their contents are.
public final class Bytes {
  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  /// Takes the array over; the caller does not change it any more.
  public static Bytes of(byte[] array) {
    return new Bytes(array);
  }

  public int size() {
    return array.length;
  }

  /// A copy.
  public byte[] toArray() {
    return array.clone();
  }

  /// A read-only view, without a copy.
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(array).asReadOnlyBuffer();
  }

  /// The array itself, for writers that do not change it.
  byte[] shared() {
    return array;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return array.length + " bytes";
  }
}
