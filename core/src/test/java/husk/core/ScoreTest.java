package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScoreTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "3|3",
        "-0.5|-0.5",
        "1e-05|1e-5",
        "True|1",
        "np.False_|0",
        "-inf|-Infinity",
        "np.float64(0.25)|0.25",
        "np.float32(inf)|Infinity",
        "array(4.)|4",
        "array(0.5, dtype=float32)|0.5",
        "tensor(0.1250, grad_fn=<MulBackward0>)|0.125",
        "Decimal('2.50')|2.5",
        "Fraction(-1, 4)|-0.25",
      })
  void numberIsUnderstoodAsPythonShowsIt(String shown, double number) {
    assertThat(Score.number(shown)).contains(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nan", "'3'", "None", "[1]", "array([1., 2.])", "3 px", "1d", "0x10", ""})
  void whatIsNoNumberIsNoScore(String shown) {
    assertThat(Score.number(shown)).isEmpty();
  }
}
