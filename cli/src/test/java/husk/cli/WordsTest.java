package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.local.JsonParts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How people write times, sizes, paths and signals.
final class WordsTest {

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "90,90",
    "30s,30",
    "5m,300",
    "2h30m,9000",
    "7d,604800",
    "1d2h3m4s,93784",
    "1.5h,5400",
    "0.2s,0.2",
  })
  void timesAreSecondsOrHaveUnits(String text, double seconds) {
    assertThat(Durations.seconds(text)).isEqualTo(seconds);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "5x",
        "m",
        "30s5m",
        "1h1h",
        "1e9",
        "5 m",
        "1h30",
        "NaN",
        "99999999999d",
        "1..5s",
        "."
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThat(Durations.seconds(text)).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "512,512",
    "512M,512",
    "2G,2048",
    "1.5GB,1536",
    "1GiB,1024",
    "2g,2048",
    "512mb,512",
    "1024K,1",
    "1T,1048576"
  })
  void sizesAreMegabytesOrHaveUnits(String text, double megabytes) {
    assertThat(Sizes.megabytes(text)).isEqualTo(megabytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "-1", "5X", "M", "B", "12B", "1e3", "1 G", "Infinity"})
  void whatIsNoSizeIsRefused(String text) {
    assertThat(Sizes.megabytes(text)).isNegative();
  }

  @ParameterizedTest
  @CsvSource({
    "box:/a,box,/a",
    "box:a,box,a",
    "./box:/a,'',./box:/a",
    "/x:y,'',/x:y",
    "a/b:c,'',a/b:c",
    "plain,'',plain",
    ":x,'',:x",
    "-,'',-",
  })
  void whatStandsBeforeAColonIsASandboxUnlessItIsAPath(String text, String sandbox, String path) {
    assertThat(SandboxPath.of(text)).isEqualTo(new SandboxPath(sandbox, path));
  }

  @ParameterizedTest
  @CsvSource({"TERM,15", "SIGTERM,15", "term,15", "9,9", "KILL,9", "0,0", "65,0", "x,0", "1.5,0"})
  void signalsHaveNamesAndNumbers(String text, int number) {
    assertThat(SignalNames.number(text)).isEqualTo(number);
  }

  @ParameterizedTest
  @CsvSource({
    "Feature/New_Thing,feature-new-thing",
    "a..b,a-b",
    "-x-,x",
    "@dependabot/npm,dependabot-npm",
    "v1.2.3,v1-2-3",
    "日本,''",
  })
  void branchesBecomeNames(String branch, String name) {
    assertThat(GitBranch.clean(branch)).isEqualTo(name);
  }

  @Test
  void jsonIsTakenApartWithoutLosingAnything() {
    var json =
        "{ \"a\" : [ 1, \"x, ]} \\\" \" , {\"b\": null} ],\n \"k\\\"\": {}, \"t\": \"a  b\" }";
    assertThat(JsonParts.fields(json))
        .isEqualTo(Map.of("a", "[1,\"x, ]} \\\" \",{\"b\":null}]", "k\"", "{}", "t", "\"a  b\""));
    assertThat(JsonParts.items("[1, \"x, ]\", {\"b\": [2]}]"))
        .containsExactly("1", "\"x, ]\"", "{\"b\":[2]}");
    assertThat(JsonParts.items("[]")).isEmpty();
    assertThat(JsonParts.items("nonsense")).isEmpty();
    assertThat(JsonParts.shown("\"a\\nb\"")).isEqualTo("a\nb");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "box ls",
        "box -- ls",
        "box -d sleep 1",
        "box -e A=b -w / ls",
        "box --timeout 3 ls -la",
        "box --env A=b -- ls",
        "-e A=b box ls",
        "box ls --name x",
        "box -d"
      })
  void aNameAndMoreIsACommandInASandbox(String line) {
    assertThat(ExecMeaning.isCommand(line.split(" "), 0)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--name a 1",
        "1 --name a",
        "--id a 1 --bash",
        "x --stream --name a",
        "--name a -- --bash",
        "1",
        "-- 1",
        "--timeout 3 1 --name a",
        "-f x.py --name a",
        "--help",
        "--nonsense a b",
        "box --help"
      })
  void codeIsWhatItWas(String line) {
    assertThat(ExecMeaning.isCommand(line.split(" "), 0)).isFalse();
  }
}
