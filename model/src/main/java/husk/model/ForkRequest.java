package husk.model;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Running copies that are wanted of a kernel.
///
/// @param names one for each; a copy without a name is found by its id
/// @param proceed whether to go on when copies would lack something of the kernel
public record ForkRequest(List<Optional<String>> names, boolean proceed) {
  public static final int MOST_AT_ONCE = 100;

  public ForkRequest {
    names = List.copyOf(names);
    requireFew(names.size());
  }

  public static ForkRequest named(String... names) {
    return new ForkRequest(Arrays.stream(names).map(Optional::of).toList(), false);
  }

  /// Copies without names.
  public static ForkRequest unnamed(int count) {
    return new ForkRequest(Collections.nCopies(requireFew(count), Optional.<String>empty()), false);
  }

  /// One copy of this name, or several called NAME-1, NAME-2 and so on.
  public static ForkRequest numbered(String name, int count) {
    return count == 1
        ? named(name)
        : named(
            IntStream.rangeClosed(1, requireFew(count))
                .mapToObj(number -> name + "-" + number)
                .toArray(String[]::new));
  }

  public ForkRequest proceeding(boolean changed) {
    return new ForkRequest(names, changed);
  }

  private static int requireFew(int count) {
    if (count < 1 || count > MOST_AT_ONCE) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "a kernel cannot be forked " + count + " times at once",
          "ask for 1 to " + MOST_AT_ONCE);
    }
    return count;
  }
}
