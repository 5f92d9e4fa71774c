package husk.kernels;

import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Roughly how many characters a JSON value takes.
final class Sizes {
  private Sizes() {}

  static long of(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length() + 2L;
      case Map<?, ?> map -> ofMap(map);
      case Map.Entry<?, ?> entry -> of(entry.getKey()) + of(entry.getValue()) + 2;
      case Collection<?> list -> list.stream().mapToLong(Sizes::of).sum() + 2;
      case null, default -> 8;
    };
  }

  private static long ofMap(Map<?, ?> map) {
    long size = 2;
    for (var entry : map.entrySet()) {
      size += of(entry);
    }
    return size;
  }
}
