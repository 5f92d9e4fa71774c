package husk.api.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.wire.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Faults in JSON are named and placed as Python 3.11's parser does it.
class JsonBodyTest {
  private static final String NAME = "Expecting property name enclosed in double quotes";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | 1 | " + NAME,
        "{\"code\": | 8 | Expecting value",
        "{'code':1} | 1 | " + NAME,
        "nope | 0 | Expecting value",
        "{\"code\":\"1\"} x | 13 | Extra data",
        "[\"a\" | 4 | Expecting ',' delimiter",
        "{\"code\" \"x\"} | 8 | Expecting ':' delimiter",
        "{\"a\":1 \"b\":2} | 7 | Expecting ',' delimiter",
        "{\"a\":tru} | 5 | Expecting value",
        "{\"a\":\"unterminated | 5 | Unterminated string starting at",
        "{\"a\":\"\\q\"} | 6 | Invalid \\escape",
        "{\"a\":01} | 6 | Expecting ',' delimiter",
        "[1,] | 3 | Expecting value",
        "{\"a\":1,,} | 7 | " + NAME,
        "{1:2} | 1 | " + NAME,
        "{\"a\":-} | 5 | Expecting value",
        "{\"a\":\"\\u12\"} | 7 | Invalid \\uXXXX escape",
        "[\"😀\" 1] | 5 | Expecting ',' delimiter",
      })
  void faultsAreNamedAndPlacedAsPythonDoesIt(String text, int at, String why) {
    assertThat(PythonJson.fault(text)).contains(new PythonJson.Fault(at, why));
    assertThatThrownBy(() -> JsonBody.parse(text.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(InvalidRequest.class)
        .hasMessage("JSON decode error at character " + at + ": " + why);
  }

  @Test
  void whitespaceAndLineBreaksCount() {
    assertThat(PythonJson.fault("\n\n {\"a\": }"))
        .contains(new PythonJson.Fault(9, "Expecting value"));
    assertThat(PythonJson.fault("{\"a\":\"\n\"}"))
        .contains(new PythonJson.Fault(6, "Invalid control character at"));
  }

  @Test
  void whatIsRightHasNoFault() {
    for (var text :
        new String[] {
          "{}", " [ ] ", "{\"a\":[1,-2.5e+3,true,null,{\"b\":\"\\u00e9\\n\"}]}", "\"x\"", "0"
        }) {
      assertThat(PythonJson.fault(text)).as(text).isEmpty();
    }
  }

  @Test
  void noDepthOverflowsTheStack() {
    assertThat(PythonJson.fault("[".repeat(1_000_000)))
        .contains(new PythonJson.Fault(1_000_000, "Expecting value"));
  }

  @Test
  void jsonIsRead() {
    var bytes = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
    assertThat(JsonBody.parse(bytes)).contains(Json.tree(bytes));
  }
}
