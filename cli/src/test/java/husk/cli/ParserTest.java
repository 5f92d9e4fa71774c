package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParserTest {

  private static Arguments exec(String... words) {
    return Parser.parse(new ExecCommand(), words, 0);
  }

  private static void refused(String message, String... words) {
    assertThatThrownBy(() -> exec(words))
        .hasMessage(message)
        .satisfies(e -> assertThat(((Problem) e).code()).isEqualTo(Problem.Code.USAGE))
        .satisfies(
            e ->
                assertThat(((Problem) e).remedies())
                    .containsExactly("`husk exec --help` shows what there is"));
  }

  @Test
  void valuesComeAfterABlankOrAnEqualsSign() {
    var arguments = exec("--name", "a", "--timeout=30", "1+1", "--bash");
    assertThat(arguments.kernel()).isEqualTo("a");
    assertThat(arguments.number("timeout")).contains(30.0);
    assertThat(arguments.has("bash")).isTrue();
    assertThat(arguments.operand(0)).contains("1+1");
    assertThat(exec("--name=a=b").kernel()).isEqualTo("a=b");
    assertThat(exec("--startup-code=").find("startup-code")).contains("");
  }

  @Test
  void shortFormsAndRepeatedOptionsWork() {
    assertThat(exec("-f", "x.py").find("file")).contains("x.py");
    assertThat(exec("--tag", "a=1", "--tag=b=2=3").pairs("tag"))
        .containsExactly(new String[] {"a", "1"}, new String[] {"b", "2=3"});
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "-x + 1", "-", "--a in b", "-f(3)", "-.5", "not -x", "--x\n"})
  void codeMayBeginWithADash(String code) {
    assertThat(exec("--name", "a", code).operand(0)).contains(code);
  }

  @Test
  void afterTwoDashesNothingIsAnOption() {
    assertThat(exec("--name", "a", "--", "--bash").operand(0)).contains("--bash");
    assertThat(exec("--name", "a", "--", "--").operand(0)).contains("--");
  }

  @Test
  void aValueMayLookLikeAnOptionOfAnotherCommand() {
    assertThat(exec("--startup-code", "-1").find("startup-code")).contains("-1");
    assertThat(exec("--language", "sh").find("language")).contains("sh");
    assertThat(exec("--name", "a", "if").operand(0)).contains("if");
  }

  @Test
  void mistakesAreNamed() {
    refused("`husk exec` has no option `--nmae`; did you mean `--name`?", "--nmae", "a");
    refused("`husk exec` has no option `--time`; did you mean `--timeout`?", "--time=3");
    refused("`husk exec` has no option `--xyzzy-plugh`", "--xyzzy-plugh");
    refused("`--name` needs a value: NAME", "--name");
    refused("`--name` needs a value: NAME", "--name", "--bash");
    refused("`--bash` takes no value", "--bash=yes");
    refused("`--name` is given twice", "--name", "a", "--name", "b");
    refused("`y` is more than `husk exec` takes", "x", "y");
  }

  @Test
  void oneOfNameAndIdSaysWhichKernel() {
    assertThat(exec("--id", "x").kernel()).isEqualTo("x");
    assertThatThrownBy(() -> exec("--id", "x", "--name", "y").kernel())
        .hasMessage("`--name` and `--id` are both given; one of them says which kernel");
    assertThatThrownBy(() -> exec().kernel())
        .hasMessage("`--name` or `--id` is missing: which kernel?");
    assertThatThrownBy(() -> exec("--name=").kernel()).hasMessage("the kernel's name is empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "NaN", "Infinity", "1s", ""})
  void whatIsNotANumberIsRefused(String value) {
    assertThatThrownBy(() -> exec("--timeout=" + value).number("timeout"))
        .hasMessage("`--timeout` is `" + value + "`, which is not a number from 0 up");
  }

  @Test
  void aLimitIsAWholeNumber() {
    assertThat(exec("--output-limit", "500").wholeNumber("output-limit")).contains(500);
    assertThatThrownBy(() -> exec("--output-limit=1.5").wholeNumber("output-limit"))
        .hasMessage("`--output-limit` is `1.5`, which is not a whole number");
  }

  @Test
  void operandsThatMustBeGivenAreMissed() {
    assertThatThrownBy(() -> Parser.parse(new PythonAddCommand(), new String[0], 0))
        .hasMessage("NAME is missing");
    var asked = Parser.parse(new PythonAddCommand(), new String[] {"-h"}, 0);
    assertThat(asked.has("help")).isTrue();
  }
}
