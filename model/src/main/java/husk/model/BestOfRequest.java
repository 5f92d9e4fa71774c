package husk.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Several pieces of code to be tried from one state of a kernel.
///
/// @param codes the pieces; one, if it is tried with several seeds
/// @param seeds for Python's, numpy's and torch's random numbers, one for each try; none to leave
///   them to chance
/// @param score an expression, evaluated after each try that succeeded; the highest wins. Without
///   it the first piece that succeeds does
/// @param deadline common to all tries, from their start; empty for the configured timeout
/// @param promote whether the winner takes the kernel's place
/// @param proceed whether to go on when copies would lack something of the kernel
public record BestOfRequest(
    List<String> codes,
    List<Long> seeds,
    Optional<String> score,
    Optional<Duration> deadline,
    boolean promote,
    boolean proceed) {

  public BestOfRequest {
    codes = List.copyOf(codes);
    seeds = List.copyOf(seeds);
    if (codes.isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST, "there is no code to try", "send one piece or several");
    }
    if (!seeds.isEmpty() && codes.size() > 1 && codes.size() != seeds.size()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "there are " + codes.size() + " pieces of code, but " + seeds.size() + " seeds",
          "send as many seeds as pieces, or one piece with several seeds");
    }
  }

  public static BestOfRequest of(List<String> codes) {
    return new BestOfRequest(codes, List.of(), Optional.empty(), Optional.empty(), true, false);
  }

  /// One try.
  public record Try(int index, String code, Optional<Long> seed) {
    /// Python that sets its seed, if it has one.
    public Optional<String> seeding() {
      return seed.map(
          number ->
              """
              import random as _husk, sys as _husk_sys
              _husk.seed(%1$d)
              if "numpy.random" in _husk_sys.modules:
                  _husk_sys.modules["numpy.random"].seed(%1$d %% 2**32)
              if "torch" in _husk_sys.modules:
                  _husk_sys.modules["torch"].manual_seed(%1$d)
              del _husk, _husk_sys
              """
                  .formatted(number));
    }
  }

  public List<Try> tries() {
    int count = Math.max(codes.size(), seeds.size());
    var tries = new ArrayList<Try>();
    for (int i = 0; i < count; i++) {
      tries.add(
          new Try(
              i,
              codes.get(codes.size() == 1 ? 0 : i),
              seeds.isEmpty() ? Optional.empty() : Optional.of(seeds.get(i))));
    }
    return tries;
  }
}
