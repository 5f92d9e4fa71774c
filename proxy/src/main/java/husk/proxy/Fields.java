package husk.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The header fields of a message, in their order. Names compare without case.
final class Fields {
  /// What concerns one connection alone and is not passed on.
  private static final Set<String> HOP_BY_HOP =
      Set.of("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade");

  record Field(String name, String value) {
    String key() {
      return name.toLowerCase(Locale.ROOT);
    }
  }

  private final List<Field> fields = new ArrayList<>();

  static Fields parse(List<String> lines) throws Refusal {
    var parsed = new Fields();
    for (var line : lines) {
      int colon = line.indexOf(':');
      if (colon < 1 || !line.substring(0, colon).chars().allMatch(Fields::isNameCharacter)) {
        throw Refusal.malformed("a header line without a proper name before its colon");
      }
      parsed.add(line.substring(0, colon), line.substring(colon + 1).strip());
    }
    return parsed;
  }

  void add(String name, String value) {
    fields.add(new Field(name, value));
  }

  List<String> all(String name) {
    return fields.stream().filter(it -> it.key().equals(name)).map(Field::value).toList();
  }

  /// The elements of all lists under this name, in lower case.
  Set<String> elements(String name) {
    return all(name).stream()
        .flatMap(list -> List.of(list.split(",", -1)).stream())
        .map(element -> element.strip().toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  /// Without what ends at this hop, what the sender says ends here, and what frames the body: that
  /// is written anew from what was understood.
  Fields passedOn() {
    var named = elements("connection");
    var rest = new Fields();
    for (var field : fields) {
      var key = field.key();
      var ends = HOP_BY_HOP.contains(key) || key.startsWith("proxy-") || named.contains(key);
      if (!ends && !key.equals("content-length")) {
        rest.fields.add(field);
      }
    }
    return rest;
  }

  Fields without(String name) {
    var rest = new Fields();
    fields.stream().filter(it -> !it.key().equals(name)).forEach(rest.fields::add);
    return rest;
  }

  void writeTo(StringBuilder head) {
    for (var field : fields) {
      head.append(field.name()).append(": ").append(field.value()).append("\r\n");
    }
  }

  static boolean isNameCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }
}
