package husk.cli;

import husk.model.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a command was called with.
final class Arguments {
  private final String command;
  private final Map<String, List<String>> values = new HashMap<>();
  private final List<String> operands = new ArrayList<>();

  Arguments(String command) {
    this.command = command;
  }

  void add(Option option, String value) {
    var given = values.get(option.name());
    if (given == null) {
      given = new ArrayList<>();
      values.put(option.name(), given);
    } else if (!option.repeatable()) {
      throw usage("`" + option.spelled() + "` is given twice");
    }
    given.add(value);
  }

  void addOperand(String word) {
    operands.add(word);
  }

  boolean has(String option) {
    return values.containsKey(option);
  }

  List<String> all(String option) {
    return values.getOrDefault(option, List.of());
  }

  Optional<String> find(String option) {
    var given = values.get(option);
    return given == null ? Optional.empty() : Optional.of(given.get(0));
  }

  String require(String option) {
    var given = find(option);
    if (given.isEmpty()) {
      throw usage("`--" + option + "` is missing");
    }
    return given.get();
  }

  /// A number that is not negative.
  Optional<Double> number(String option) {
    var given = find(option);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    try {
      double number = Double.parseDouble(given.get());
      if (Double.isFinite(number) && number >= 0) {
        return Optional.of(number);
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw usage("`--" + option + "` is `" + given.get() + "`, which is not a number from 0 up");
  }

  Optional<Integer> wholeNumber(String option) {
    var number = number(option);
    if (number.isEmpty()) {
      return Optional.empty();
    }
    int whole = (int) Math.rint(number.get());
    if (whole != number.get()) {
      throw usage("`--" + option + "` is `" + require(option) + "`, which is not a whole number");
    }
    return Optional.of(whole);
  }

  /// The `KEY=VALUE` pairs of a repeatable option, in order.
  List<String[]> pairs(String option) {
    var pairs = new ArrayList<String[]>();
    for (String given : all(option)) {
      int equals = given.indexOf('=');
      if (equals == 0) {
        throw usage("`--" + option + " " + given + "` has no key");
      }
      pairs.add(
          equals < 0
              ? new String[] {given}
              : new String[] {given.substring(0, equals), given.substring(equals + 1)});
    }
    return pairs;
  }

  /// The kernel meant: `--name` or `--id`, and not both.
  String kernel() {
    if (has("name") && has("id")) {
      throw usage("`--name` and `--id` are both given; one of them says which kernel");
    }
    if (!has("name") && !has("id")) {
      throw usage("`--name` or `--id` is missing: which kernel?");
    }
    String kernel = has("name") ? require("name") : require("id");
    if (kernel.isEmpty()) {
      throw usage("the kernel's name is empty");
    }
    return kernel;
  }

  int operandCount() {
    return operands.size();
  }

  Optional<String> operand(int index) {
    return index < operands.size() ? Optional.of(operands.get(index)) : Optional.empty();
  }

  /// The operands from this one on.
  List<String> operandsFrom(int index) {
    return index < operands.size() ? operands.subList(index, operands.size()) : List.of();
  }

  /// An operand that the parser has made sure of.
  String requireOperand(int index) {
    return operands.get(index);
  }

  Problem usage(String message) {
    return Parser.usage(command, message);
  }
}
