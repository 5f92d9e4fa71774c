package husk.api;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Refused requests are answered word for word as KernelBox 0.1.2 on FastAPI 0.162 and pydantic
/// 2.14 answers them, with Husk's `error` beside it.
@ExtendWith(LeakDetector.class)
class ValidationTest {
  private static final String EXECUTE = "/kernels/x/execute";
  private static final String RETRY = "/kernels/x/execute/retry";
  private static final String NO_OBJECT =
      "Input should be a valid dictionary or object to extract fields from";

  private final ApiServer server = new ApiServer();

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | [{'type':'missing','loc':['body','code'],'msg':'Field required','input':{}}]",
        "{'code':1} | [{'type':'string_type','loc':['body','code'],'msg':'Input should be a valid"
            + " string','input':1}]",
        "{'code':null} | [{'type':'string_type','loc':['body','code'],'msg':'Input should be a"
            + " valid string','input':null}]",
        "null | [{'type':'missing','loc':['body'],'msg':'Field required','input':null}]",
        "{'code':'1','timeout':0.05} |"
            + " [{'type':'greater_than_equal','loc':['body','timeout'],'msg':'Input should be"
            + " greater than or equal to 0.1','input':0.05,'ctx':{'ge':0.1}}]",
        "{'code':'1','timeout':0} |"
            + " [{'type':'greater_than_equal','loc':['body','timeout'],'msg':'Input should be"
            + " greater than or equal to 0.1','input':0,'ctx':{'ge':0.1}}]",
        "{'code':'1','timeout':-1} |"
            + " [{'type':'greater_than_equal','loc':['body','timeout'],'msg':'Input should be"
            + " greater than or equal to 0.1','input':-1,'ctx':{'ge':0.1}}]",
        "{'code':'1','timeout':'0.01'} |"
            + " [{'type':'greater_than_equal','loc':['body','timeout'],'msg':'Input should be"
            + " greater than or equal to 0.1','input':'0.01','ctx':{'ge':0.1}}]",
        "{'code':'1','timeout':false} |"
            + " [{'type':'greater_than_equal','loc':['body','timeout'],'msg':'Input should be"
            + " greater than or equal to 0.1','input':false,'ctx':{'ge':0.1}}]",
        "{'code':'1','timeout':'abc'} |"
            + " [{'type':'float_parsing','loc':['body','timeout'],'msg':'Input should be a valid"
            + " number, unable to parse string as a number','input':'abc'}]",
        "{'code':'1','timeout':''} | [{'type':'float_parsing','loc':['body','timeout'],'msg':'Input"
            + " should be a valid number, unable to parse string as a number','input':''}]",
        "{'code':'1','timeout':[]} | [{'type':'float_type','loc':['body','timeout'],'msg':'Input"
            + " should be a valid number','input':[]}]",
        "{'code':'1','timeout':{}} | [{'type':'float_type','loc':['body','timeout'],'msg':'Input"
            + " should be a valid number','input':{}}]",
      })
  void executeIsRefusedAsKernelBoxRefusesIt(String body, String detail) {
    assertRefused(EXECUTE, body, detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'code':'1','max_attempts':0} |"
            + " [{'type':'greater_than_equal','loc':['body','max_attempts'],'msg':'Input should be"
            + " greater than or equal to 1','input':0,'ctx':{'ge':1}}]",
        "{'code':'1','max_attempts':'x'} |"
            + " [{'type':'int_parsing','loc':['body','max_attempts'],'msg':'Input should be a valid"
            + " integer, unable to parse string as an integer','input':'x'}]",
        "{'code':'1','max_attempts':'1.5'} |"
            + " [{'type':'int_parsing','loc':['body','max_attempts'],'msg':'Input should be a valid"
            + " integer, unable to parse string as an integer','input':'1.5'}]",
        "{'code':'1','max_attempts':1.5} |"
            + " [{'type':'int_from_float','loc':['body','max_attempts'],'msg':'Input should be a"
            + " valid integer, got a number with a fractional part','input':1.5}]",
        "{'code':'1','max_attempts':[]} |"
            + " [{'type':'int_type','loc':['body','max_attempts'],'msg':'Input should be a valid"
            + " integer','input':[]}]",
        "{'code':'1','replacement_codes':'x'} |"
            + " [{'type':'list_type','loc':['body','replacement_codes'],'msg':'Input should be a"
            + " valid list','input':'x'}]",
        "{'code':'1','replacement_codes':null} |"
            + " [{'type':'list_type','loc':['body','replacement_codes'],'msg':'Input should be a"
            + " valid list','input':null}]",
        "{'code':'1','replacement_codes':[1,'a',null]} |"
            + " [{'type':'string_type','loc':['body','replacement_codes',0],'msg':'Input should be"
            + " a valid"
            + " string','input':1},{'type':'string_type','loc':['body','replacement_codes',2],'msg':'Input"
            + " should be a valid string','input':null}]",
        "{'code':'1','on_error_code':[1]} |"
            + " [{'type':'string_type','loc':['body','on_error_code','str'],'msg':'Input should be"
            + " a valid"
            + " string','input':[1]},{'type':'string_type','loc':['body','on_error_code','list[str]',0],'msg':'Input"
            + " should be a valid string','input':1}]",
      })
  void retryIsRefusedAsKernelBoxRefusesIt(String body, String detail) {
    assertRefused(RETRY, body, detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "/kernels | {'tags':[]} | [{'type':'dict_type','loc':['body','tags'],'msg':'Input should be"
            + " a valid dictionary','input':[]}]",
        "/kernels | {'tags':null} | [{'type':'dict_type','loc':['body','tags'],'msg':'Input should"
            + " be a valid dictionary','input':null}]",
        "/sessions/x | {'tags':{'a':1}} |"
            + " [{'type':'string_type','loc':['body','tags','a'],'msg':'Input should be a valid"
            + " string','input':1}]",
        "/kernels | {'name':1,'session_name':[],'tags':{'a':1,'b':null}} |"
            + " [{'type':'string_type','loc':['body','name'],'msg':'Input should be a valid"
            + " string','input':1},{'type':'string_type','loc':['body','session_name'],'msg':'Input"
            + " should be a valid"
            + " string','input':[]},{'type':'string_type','loc':['body','tags','a'],'msg':'Input"
            + " should be a valid"
            + " string','input':1},{'type':'string_type','loc':['body','tags','b'],'msg':'Input"
            + " should be a valid string','input':null}]",
      })
  void kernelsAreRefusedAsKernelBoxRefusesThem(String target, String body, String detail) {
    assertRefused(target, body, detail);
  }

  @ParameterizedTest
  @CsvSource({"ruby, \"ruby\"", "null, null", "1, 1"})
  void anUnknownLanguageIsRefusedInKernelBoxsWords(String label, String sent) {
    var body = "{'code':'1','language':" + sent.replace('"', '\'') + "}";
    assertRefused(
        EXECUTE,
        body,
        "[{'type':'literal_error','loc':['body','language'],'msg':'Input should be"
            + " \\u0027python\\u0027 or \\u0027bash\\u0027','input':"
            + sent.replace('"', '\'')
            + ",'ctx':{'expected':'\\u0027python\\u0027 or \\u0027bash\\u0027'}}]");
  }

  @Test
  void everythingThatIsWrongIsReportedAtOnce() {
    var reply = server.post(EXECUTE, "{\"language\":\"ruby\",\"timeout\":\"x\"}");
    assertThat(reply.json().path("detail").findValuesAsString("type"))
        .containsExactly("missing", "literal_error", "float_parsing");
    assertThat(reply.json().at("/detail/0/input"))
        .isEqualTo(json("{'language':'ruby','timeout':'x'}"));
    assertThat(reply.json().at("/error/message").stringValue())
        .contains("`code`: Field required", "`timeout`: Input should be a valid number");
  }

  @Test
  void whatPydanticWouldTakeIsTaken() {
    for (var body :
        new String[] {
          "'timeout':'5'",
          "'timeout':true",
          "'timeout':'1e2'",
          "'timeout':'inf'",
          "'timeout':1e400",
          "'timeout':null",
          "'unknown':1",
          "'language':'sh'",
          "'max_attempts':2.0",
          "'max_attempts':'2'",
          "'max_attempts':' 3 '",
          "'max_attempts':'1_0'",
          "'max_attempts':true",
          "'max_attempts':1000000000000000000000000000000"
        }) {
      var reply = server.post(RETRY, ("{'code':'1'," + body + "}").replace('\'', '"'));
      assertThat(reply.status()).as(body + " " + reply.body()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | []",
        "'s' | 's'",
        "1 | 1",
        "true | true",
      })
  void aBodyThatIsNoObjectIsRefused(String body, String input) {
    assertRefused(
        EXECUTE,
        body,
        "[{'type':'model_attributes_type','loc':['body'],'msg':'"
            + NO_OBJECT
            + "','input':"
            + input
            + "}]");
  }

  @Test
  void aBodyThatIsNotSentAsJsonIsRefusedWithAHint() {
    for (var type : new String[] {"text/plain", "application/x-www-form-urlencoded", ""}) {
      var reply = server.send("POST", EXECUTE, "{\"code\":\"1\"}", type);
      assertThat(reply.status()).isEqualTo(422);
      assertThat(reply.json().path("detail"))
          .isEqualTo(
              json(
                  "[{'type':'model_attributes_type','loc':['body'],'msg':'"
                      + NO_OBJECT
                      + "','input':'{\\\"code\\\":\\\"1\\\"}'}]"));
      assertThat(reply.json().at("/error/remedies/0").stringValue()).contains("Content-Type");
    }
  }

  @Test
  void otherNamesOfJsonAreJson() {
    for (var type : new String[] {"application/vnd.api+json", "APPLICATION/JSON; charset=utf-8"}) {
      assertThat(server.send("POST", EXECUTE, "{\"code\":\"1\"}", type).status()).isEqualTo(404);
    }
  }

  @Test
  void aMissingBodyIsRefusedWhereOneIsNeeded() {
    for (var target : new String[] {EXECUTE, RETRY, "/kernels", "/sessions/x/execute"}) {
      var reply = server.post(target);
      assertThat(reply.status()).as(target).isEqualTo(422);
      assertThat(reply.json().path("detail"))
          .isEqualTo(
              json("[{'type':'missing','loc':['body'],'msg':'Field required','input':null}]"));
    }
  }

  @Test
  void whatIsNoJsonIsRefusedWithThePlaceOfTheFault() {
    assertRefused(
        EXECUTE,
        "{'code':'1',}",
        "[{'type':'json_invalid','loc':['body',12],'msg':'JSON decode"
            + " error','input':{},'ctx':{'error':'Expecting property name enclosed in double"
            + " quotes'}}]");
  }

  @Test
  void jsonThatIsTooDeepOrNoTextIsABadRequest() {
    var deep = "[".repeat(100_000) + "]".repeat(100_000);
    assertUnreadable(deep.getBytes(StandardCharsets.UTF_8));
    assertUnreadable(new byte[] {(byte) 0xc3, 0x28});
  }

  private void assertUnreadable(byte[] body) {
    var reply = server.send("POST", EXECUTE, body, "application/json");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json()).isEqualTo(json("{'detail':'There was an error parsing the body'}"));
  }

  @Test
  void aBodyOfMoreThan8MebibytesIsTooLarge() {
    var reply = server.send("POST", EXECUTE, new byte[9 << 20], "application/json");
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.header("husk-problem")).isEqualTo("too_large");
    assertThat(reply.body()).contains("8 MiB").contains("write the data to a file");
  }

  @Test
  void aBodyOfTooManyValuesIsTooLarge() {
    var reply = server.post(EXECUTE, "{\"code\":[" + "[],".repeat(100_000) + "0]}");
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.body()).contains("100000 values");
  }

  @ParameterizedTest
  @CsvSource({"maybe", "2", "''"})
  void aQueryThatIsNeitherYesNorNoIsRefused(String value) {
    var reply = server.get("/kernels?refresh=" + value);
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.json().path("detail"))
        .isEqualTo(
            json(
                "[{'type':'bool_parsing','loc':['query','refresh'],'msg':'Input should be a valid"
                    + " boolean, unable to interpret input','input':'"
                    + value
                    + "'}]"));
  }

  @Test
  void aQueryTakesTheWordsThatPydanticTakes() {
    for (var query :
        new String[] {"1", "true", "TRUE", "on", "yes", "t", "0&refresh=1", "off", "n&other=1"}) {
      assertThat(server.get("/kernels?refresh=" + query).status()).as(query).isEqualTo(200);
    }
  }

  @Test
  void aMissingQueryParameterIsNamed() {
    var reply = server.get("/executions");
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.json().path("detail"))
        .isEqualTo(
            json(
                "[{'type':'missing','loc':['query','kernel'],'msg':'Field"
                    + " required','input':null}]"));
  }

  @Test
  void husksOwnClientsMaySayThatThereIsNoTimeout() {
    var body = "{'code':'1','timeout':0,'client':{}}".replace('\'', '"');
    assertThat(server.post(EXECUTE, body).status()).isEqualTo(404);
  }

  private void assertRefused(String target, String body, String detail) {
    var reply = server.post(target, body.replace('\'', '"'));
    assertThat(reply.status()).as(reply.body()).isEqualTo(422);
    assertThat(reply.json().path("detail")).isEqualTo(json(detail));
    assertThat(reply.header("husk-problem")).isEqualTo("invalid_request");
    assertThat(reply.json().at("/error/code").stringValue()).isEqualTo("invalid_request");
    assertThat(reply.json().at("/error/remedies").size()).isPositive();
  }

  private static tools.jackson.databind.JsonNode json(String withSingleQuotes) {
    return husk.wire.Json.tree(
        withSingleQuotes.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
