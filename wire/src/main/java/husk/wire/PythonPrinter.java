package husk.wire;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Prints JSON character for character as Python's `json.dumps(value, indent=2)` does, so that a
/// caller's comparison with what Python prints holds.
final class PythonPrinter {
  private final boolean sorted;
  private final StringBuilder out = new StringBuilder();

  PythonPrinter(boolean sorted) {
    this.sorted = sorted;
  }

  String print(JsonNode node) {
    value(node, "\n");
    return out.toString();
  }

  private void value(JsonNode node, String newline) {
    switch (node.getNodeType()) {
      case OBJECT -> object(node, newline);
      case ARRAY -> array(node, newline);
      case NUMBER -> out.append(number(node));
      case BOOLEAN -> out.append(node.booleanValue());
      case NULL, MISSING -> out.append("null");
      case STRING, BINARY, POJO -> string(node.asString());
    }
  }

  private void object(JsonNode node, String newline) {
    var properties = new ArrayList<>(node.properties());
    if (sorted) {
      properties.sort(Comparator.comparing(Map.Entry::getKey, PythonPrinter::byCodePoint));
    }
    if (properties.isEmpty()) {
      out.append("{}");
      return;
    }
    String separator = "{";
    for (var property : properties) {
      out.append(separator).append(newline).append("  ");
      string(property.getKey());
      out.append(": ");
      value(property.getValue(), newline + "  ");
      separator = ",";
    }
    out.append(newline).append('}');
  }

  private void array(JsonNode node, String newline) {
    if (node.isEmpty()) {
      out.append("[]");
      return;
    }
    String separator = "[";
    for (Iterator<JsonNode> items = node.iterator(); items.hasNext(); separator = ",") {
      out.append(separator).append(newline).append("  ");
      value(items.next(), newline + "  ");
    }
    out.append(newline).append(']');
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      character(text.charAt(i));
    }
    out.append('"');
  }

  private void character(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case '\f' -> out.append("\\f");
      case '\b' -> out.append("\\b");
      default -> {
        if (c >= ' ' && c <= '~') {
          out.append(c);
        } else {
          escape(c);
        }
      }
    }
  }

  private void escape(char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit(c >> shift & 15, 16));
    }
  }

  private static String number(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.asString();
    }
    return node.isBigDecimal() ? node.decimalValue().toPlainString() : real(node);
  }

  /// Python's `repr` of a float: an exponent below 1e-4 and from 1e16 on, and never without a point
  /// otherwise.
  private static String real(JsonNode node) {
    double value = node.doubleValue();
    if (!Double.isFinite(value)) {
      return "\"" + value + "\""; // JSON has no other word for it
    }
    if (value == 0) {
      return String.valueOf(value);
    }
    var decimal = new BigDecimal(node.asString()).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 16) {
      var plain = decimal.toPlainString();
      return plain.indexOf('.') < 0 ? plain + ".0" : plain;
    }
    var digits = decimal.unscaledValue().abs().toString();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + (Math.abs(exponent) < 10 ? "0" : "")
        + Math.abs(exponent);
  }

  /// Python compares strings by code point, Java by UTF-16 unit; they differ above U+FFFF.
  private static int byCodePoint(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length() && a.charAt(i) == b.charAt(i)) {
      i++;
    }
    if (i == a.length() || i == b.length()) {
      return Integer.compare(a.length(), b.length());
    }
    if (i > 0 && Character.isHighSurrogate(a.charAt(i - 1))) {
      i--;
    }
    return Integer.compare(a.codePointAt(i), b.codePointAt(i));
  }
}
