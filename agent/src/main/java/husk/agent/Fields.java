package husk.agent;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Named values in their order; a name may come more than once. On the wire each is `name=value`
/// and a NUL.
final class Fields {
  private final List<String> entries;

  private Fields(List<String> entries) {
    this.entries = entries;
  }

  static Fields none() {
    return new Fields(new ArrayList<>());
  }

  static Fields operation(String name) {
    return none().add("op", name);
  }

  Fields add(String name, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a value of `" + name + "` holds a NUL character");
    }
    entries.add(name + "=" + value);
    return this;
  }

  Fields add(String name, long value) {
    return add(name, Long.toString(value));
  }

  Fields flag(String name, boolean set) {
    return set ? add(name, "1") : this;
  }

  byte[] bytes() {
    var bytes = new ByteArrayOutputStream();
    for (var entry : entries) {
      bytes.writeBytes(entry.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    return bytes.toByteArray();
  }

  /// Reads what the other side wrote; empty when it is malformed.
  static Optional<Fields> parse(byte[] payload) {
    var fields = none();
    int start = 0;
    for (int i = 0; i < payload.length; i++) {
      if (payload[i] != 0) {
        continue;
      }
      var entry = new String(payload, start, i - start, StandardCharsets.UTF_8);
      if (!wellFormed(entry)) {
        return Optional.empty();
      }
      fields.entries.add(entry);
      start = i + 1;
    }
    return start == payload.length ? Optional.of(fields) : Optional.empty();
  }

  private static boolean wellFormed(String entry) {
    int equals = entry.indexOf('=');
    return equals > 0
        && entry.chars().limit(equals).allMatch(c -> c == '_' || (c >= 'a' && c <= 'z'));
  }

  Optional<String> find(String name) {
    return all(name).stream().findFirst();
  }

  String text(String name) {
    return find(name).orElse("");
  }

  /// A number; 0 when it is missing or none.
  long number(String name) {
    try {
      return Long.parseLong(text(name));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  Optional<Integer> small(String name) {
    return find(name).isEmpty() ? Optional.empty() : Optional.of((int) number(name));
  }

  List<String> all(String name) {
    return entries.stream()
        .filter(entry -> entry.startsWith(name + "="))
        .map(entry -> entry.substring(name.length() + 1))
        .toList();
  }

  @Override
  public String toString() {
    return entries.toString();
  }
}
