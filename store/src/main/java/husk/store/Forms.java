package husk.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Small maps and lists as one column of text, in the encoding of web forms: `team=red&run=a%26b`.
/// Readable in any SQLite tool, and no second table to keep in step.
final class Forms {
  private Forms() {}

  static String ofMap(Map<String, String> map) {
    return new TreeMap<>(map)
        .entrySet().stream()
            .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue()))
            .collect(Collectors.joining("&"));
  }

  static Map<String, String> map(String text) {
    return parts(text).stream()
        .map(part -> part.split("=", 2))
        .collect(Collectors.toMap(pair -> decode(pair[0]), pair -> decode(pair[1])));
  }

  static String ofList(List<String> list) {
    return list.stream().map(Forms::encode).collect(Collectors.joining("&"));
  }

  static List<String> list(String text) {
    return parts(text).stream().map(Forms::decode).toList();
  }

  private static List<String> parts(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split("&", -1));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, UTF_8);
  }
}
