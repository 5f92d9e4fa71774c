package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What each command asks of the daemon.
@ExtendWith(LeakDetector.class)
@Timeout(30)
final class RequestsTest {
  private Calls calls;
  private FakeDaemon daemon;

  @BeforeEach
  void open() throws IOException {
    calls = new Calls();
    daemon = calls.daemon(_ -> FakeDaemon.json("", "{\"a\": 1}"));
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    calls.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          create --name a           | POST /kernels?pretty=1              | application/json
          list                      | GET /kernels?pretty=1               | application/json
          list --refresh            | GET /kernels?refresh=1&pretty=1     | application/json
          list --table              | GET /kernels                        | text/plain
          list --names              | GET /kernels                        | text/plain;names=1
          status --name a/b         | GET /kernels/a%2Fb?pretty=1         | application/json
          restart --id x            | POST /kernels/x/restart?pretty=1    | application/json
          interrupt --name x        | POST /kernels/x/interrupt?pretty=1  | application/json
          destroy --name x          | DELETE /kernels/x?pretty=1          | application/json
          wipe                      | DELETE /kernels?pretty=1            | application/json
          logs --name x             | GET /kernels/x/log                  | text/plain
          connection-file --name x  | GET /kernels/x                      | text/plain;field=connection_file
          exec --name x 1           | POST /kernels/x/execute?pretty=1    | application/json
          result --execution e      | GET /executions/e?wait=1&pretty=1   | application/json
          result --execution e --no-wait | GET /executions/e?pretty=1     | application/json
          executions --name x       | GET /executions?kernel=x&pretty=1   | application/json
          fork a --as b --count 2   | POST /kernels/a/fork?pretty=1       | application/json
          fork --name a/b           | POST /kernels/a%2Fb/fork?pretty=1   | application/json
          promote a b               | POST /kernels/a/promote?pretty=1    | application/json
          checkpoint a --label l    | POST /kernels/a/checkpoints?pretty=1 | application/json
          checkpoints a             | GET /kernels/a/checkpoints?pretty=1 | application/json
          checkpoints --id a --table | GET /kernels/a/checkpoints         | text/plain
          checkpoint-drop a b/c     | DELETE /kernels/a/checkpoints/b%2Fc?pretty=1 | application/json
          rollback a                | POST /kernels/a/rollback?pretty=1   | application/json
          best-of a --code 1        | POST /kernels/a/best-of?pretty=1    | application/json
          list --tree               | GET /kernels                        | text/plain;tree=1
          python list               | GET /environments                   | text/plain
          python list --json        | GET /environments?pretty=1          | application/json
          python add x              | POST /environments                  | text/plain
          python remove x           | DELETE /environments/x              | text/plain
          kernels                   | GET /kernelspecs                    | text/plain
          doctor                    | POST /doctor                        | text/plain
          config show --json        | POST /config/show?pretty=1          | application/json
          daemon start              | GET /daemon                         | text/plain
          daemon status --json      | GET /daemon?pretty=1                | application/json
          """)
  void aCommandIsOneRequest(String line, String request, String accept) {
    assertThat(calls.husk(line.split(" ", -1))).as(calls.err()).isZero();
    assertThat(daemon.requests).hasSize(1);
    assertThat(daemon.requests.getFirst())
        .startsWith(request + " HTTP/1.1\r\n")
        .contains("\r\nAccept: " + accept + "\r\n");
    assertThat(calls.out()).isEqualTo("{\"a\": 1}\n");
  }

  @Test
  void creatingTellsEverythingAboutTheKernelAndItsCaller() {
    calls.environment.put("PASSED", "on");
    calls.environment.put("AWS_SECRET", "shh");
    calls.husk(
        "create",
        "--name",
        "é",
        "--session-name",
        "s",
        "--tag",
        "a=b",
        "--cwd",
        "x",
        "--env",
        "K=V",
        "--env",
        "PASSED",
        "--python",
        "./venv",
        "--kernel",
        "ir",
        "--startup-code",
        "x = 1",
        "--idle-timeout",
        "60");
    var here = calls.temp.path();
    assertThat(body())
        .startsWith(
            "{\"name\":\"é\",\"session_name\":\"s\",\"tags\":{\"a\":\"b\"},\"cwd\":\""
                + here
                + "/x\",\"env\":{\"K\":\"V\",\"PASSED\":\"on\"},\"python\":\""
                + here
                + "/venv\",\"kernel\":\"ir\",\"startup_code\":\"x = 1\",\"idle_timeout\":60.0,"
                + "\"client\":{\"cwd\":\""
                + here
                + "\",\"environment\":{\"HOME\":\"")
        .contains("\"variables\":{\"HUSK_DIST\":")
        .doesNotContain("shh");
  }

  @Test
  void executingTellsWhatToRunAndHow() {
    calls.husk("exec", "--name", "a", "--timeout", "1.5", "--output-limit", "9", "--bash", "ls");
    assertThat(body())
        .matches(
            "\\{\"code\":\"ls\",\"execution_id\":\"[0-9a-f]{32}\",\"language\":\"bash\","
                + "\"one_shot\":false,\"create\":true,\"timeout\":1.5,\"output_limit\":9,"
                + "\"options\":\\{},\"client\":\\{.*");
    assertThat(calls.husk("exec", "--id", "a", "--one-shot", "--language", "sh", "ls"))
        .as(calls.err())
        .isZero();
    assertThat(body()).contains("\"language\":\"bash\",\"one_shot\":true,\"create\":false");
  }

  @Test
  void codeComesFromTheArgumentAFileOrStandardInput() throws IOException {
    Files.writeString(calls.temp.resolve("x.py"), "\ufeffprint('é')");
    calls.husk("exec", "--name", "a", "-f", "x.py");
    assertThat(body()).startsWith("{\"code\":\"print('é')\"");
    calls.input = "1 + 1\n";
    calls.husk("exec", "--name", "a", "-");
    assertThat(body()).startsWith("{\"code\":\"1 + 1\\n\"");
    calls.husk("exec", "--name", "a");
    assertThat(body()).startsWith("{\"code\":\"1 + 1\\n\"");
    assertThat(calls.husk("exec", "--name", "a", "--file=-")).isZero();
    assertThat(body()).startsWith("{\"code\":\"1 + 1\\n\"");
  }

  @Test
  void codeThatCannotBeReadIsRefused() {
    assertThat(calls.husk("exec", "--name", "a", "-f", "none.py")).isEqualTo(6);
    assertThat(calls.err()).contains("there is no file `none.py`");
    calls.input = "\u00ff";
    assertThat(calls.husk("exec", "--name", "a", "-")).isEqualTo(6);
    assertThat(calls.err()).contains("`standard input` is not UTF-8 text");
    calls.input = "";
    assertThat(calls.husk("exec", "--name", "a")).isEqualTo(2);
    assertThat(calls.err()).contains("there is no code");
    assertThat(calls.husk("exec", "--name", "a", "1", "-f", "x")).isEqualTo(2);
    assertThat(calls.husk("exec", "--name", "a", "1", "--bash", "--language", "py")).isEqualTo(2);
    assertThat(calls.husk("exec", "--name", "a", "1", "--language", "cobol")).isEqualTo(6);
    assertThat(calls.husk("create", "--name", "a", "--env", "UNSET")).isEqualTo(6);
    assertThat(calls.husk("create", "--name", "a", "--tag", "x")).isEqualTo(2);
    assertThat(daemon.requests).isEmpty();
  }

  @Test
  void anEnvironmentIsMadeFromFilesAndSingleRequirements() throws IOException {
    Files.writeString(
        calls.temp.resolve("r.txt"), "# all\nnumpy==2 \\\n  --hash=x\n\npandas # why\r\n");
    calls.husk(
        "python",
        "add",
        "lab",
        "--from",
        "3.12",
        "-r",
        "r.txt",
        "--require",
        "six",
        "--preload",
        "numpy");
    assertThat(body())
        .startsWith(
            "{\"name\":\"lab\",\"from\":\"3.12\",\"requirements\":[\"numpy==2    --hash=x\","
                + "\"pandas\",\"six\"],\"preload\":[\"numpy\"],\"client\":");
  }

  @Test
  void aDestroyThatFoundNothingFails() throws IOException {
    daemon.close();
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", "{\n  \"destroyed\": false\n}\n"))) {
      assertThat(calls.husk("destroy", "--name", "x")).isEqualTo(1);
    }
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", "{\n  \"destroyed\": true\n}\n"))) {
      assertThat(calls.husk("destroy", "--name", "x")).isZero();
    }
  }

  @Test
  void bytesOfTheAnswerArePassedOnAsTheyAre() throws IOException {
    daemon.close();
    try (var _ = calls.daemon(_ -> FakeDaemon.json("", "{\"é\": \"\ud83d\ude00\"}\n"))) {
      calls.husk("list");
      assertThat(calls.out.toByteArray())
          .isEqualTo("{\"é\": \"\ud83d\ude00\"}\n".getBytes(StandardCharsets.UTF_8));
    }
  }

  private String body() {
    String request = daemon.requests.getLast();
    return request.substring(request.indexOf("\r\n\r\n") + 4);
  }
}
