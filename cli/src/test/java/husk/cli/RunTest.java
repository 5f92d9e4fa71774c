package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.local.JsonPeek;
import husk.testkit.LeakDetector;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// `husk run` and `husk exec SANDBOX` against a real agent.
@ExtendWith(LeakDetector.class)
@Timeout(60)
final class RunTest {
  private AgentHouse house;
  private Calls calls;

  @BeforeEach
  void open() throws IOException {
    house = new AgentHouse();
    calls = house.calls;
  }

  @AfterEach
  void close() throws IOException {
    house.close();
  }

  private String made() {
    return house.daemon.requests.getFirst();
  }

  @Test
  void streamsStayApart() {
    assertThat(calls.husk("run", "sh", "-c", "echo out; echo err >&2")).isZero();
    assertThat(calls.out()).isEqualTo("out\n");
    assertThat(calls.err()).isEqualTo("err\n");
  }

  @Test
  void theSandboxIsTemporaryAndRemovedAfterwards() {
    calls.husk("run", "true");
    assertThat(made()).startsWith("POST /sandboxes").contains("\"temporary_seconds\":30");
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void theSandboxIsRemovedAlsoWhenTheCommandCannotBeStarted() {
    assertThat(calls.husk("run", "no-such-program-anywhere")).isEqualTo(127);
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void aKeptSandboxStaysForAnHourAndSaysSo() {
    assertThat(calls.husk("run", "--keep", "echo", "x")).isZero();
    assertThat(made()).contains("\"temporary_seconds\":0").contains("\"ttl_seconds\":3600");
    assertThat(calls.out()).isEqualTo("x\n");
    assertThat(calls.err())
        .isEqualTo("\nSandbox 'box' kept. Remove with: husk sandbox remove box\n");
    assertThat(house.daemon.requests).noneMatch(request -> request.startsWith("DELETE"));
  }

  @Test
  void exitCodesPassThrough() throws IOException {
    assertThat(calls.husk("exec", "box", "sh", "-c", "exit 7")).isEqualTo(7);
    assertThat(calls.husk("exec", "box", "sh", "-c", "kill -9 $$")).isEqualTo(137);
    assertThat(calls.husk("exec", "box", "sh", "-c", "kill -TERM $$")).isEqualTo(143);
    assertThat(calls.husk("exec", "box", "no-such-program-anywhere")).isEqualTo(127);
    var file = Files.writeString(house.workspace.resolve("plain"), "x");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(calls.husk("exec", "box", file.toString())).isEqualTo(126);
    assertThat(calls.husk("exec", "nobody", "true")).isEqualTo(125);
    assertThat(calls.err()).contains("Sandbox 'nobody' not found", "husk exec --name nobody");
  }

  @Test
  void aCommandThatTakesTooLongEndsWith124() {
    assertThat(calls.husk("run", "--timeout", "0.2s", "sh", "-c", "echo early; sleep 60"))
        .isEqualTo(124);
    assertThat(calls.out()).isEqualTo("early\n");
    assertThat(calls.err())
        .isEqualTo("husk: the command was ended after 0.2 s; `--timeout` allows more\n");
  }

  @Test
  void wordsReachTheCommandAsTheyAre() {
    var words =
        new String[] {
          "", "a b", "it's", "\"q\"", "line\nbreak", "$HOME", "*", "é🌽", "--", "--help", "-k"
        };
    var call = new String[words.length + 3];
    call[0] = "run";
    call[1] = "printf";
    call[2] = "<%s>";
    System.arraycopy(words, 0, call, 3, words.length);
    assertThat(calls.husk(call)).isZero();
    assertThat(calls.out()).isEqualTo("<" + String.join("><", words) + ">");
  }

  @Test
  void twoDashesAreOptional() {
    assertThat(calls.husk("run", "--keep", "--", "echo", "--json")).isZero();
    assertThat(calls.out()).isEqualTo("--json\n");
    assertThat(calls.husk("run", "--keep", "echo", "--", "-k")).isZero();
    assertThat(calls.out()).isEqualTo("-- -k\n");
  }

  @Test
  void standardInputAndItsEndArePassedOn() {
    calls.input = "one\ntwo\n";
    assertThat(calls.husk("run", "sh", "-c", "cat; echo end")).isZero();
    assertThat(calls.out()).isEqualTo("one\ntwo\nend\n");
  }

  @Test
  void inputThatNobodyReadsHoldsNothingUp() {
    calls.input = "x".repeat(5_000_000);
    assertThat(calls.husk("run", "echo", "done")).isZero();
    assertThat(calls.out()).isEqualTo("done\n");
  }

  @Test
  void bytesThatAreNoTextPassThroughUnchanged() {
    assertThat(calls.husk("run", "sh", "-c", "printf '\\377\\000\\200a\\303'")).isZero();
    assertThat(calls.out.toByteArray()).containsExactly(0xff, 0x00, 0x80, 'a', 0xc3);
  }

  @Test
  void fiftyMegabytesArriveWhole() {
    long[] seen = {0};
    var counting =
        new OutputStream() {
          @Override
          public void write(int b) {
            seen[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            seen[0] += length;
          }
        };
    assertThat(calls.husk(counting, "run", "head", "-c", "52428800", "/dev/zero")).isZero();
    assertThat(seen[0]).isEqualTo(52_428_800);
  }

  @Test
  void whenNobodyReadsOutputAnyMoreTheCommandEnds() {
    var closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    assertThat(calls.husk(closed, "run", "yes")).isEqualTo(141);
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void whenNobodyReadsErrorsAnyMoreTheCommandEnds() {
    var closed =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    var output = new ByteArrayOutputStream();
    assertThat(calls.husk(output, closed, "run", "sh", "-c", "yes >&2")).isEqualTo(141);
    assertThat(house.daemon.requests.getLast()).startsWith("DELETE /sandboxes/box");
  }

  @Test
  void wordsThatAreTooLongTogetherAreRefusedAsSuch() {
    assertThat(calls.husk("run", "echo", "x".repeat(1 << 20))).isEqualTo(125);
    assertThat(calls.err()).contains("1048576").doesNotContain("was lost");
  }

  @Test
  void emptyPathIsNotThisFolder() {
    assertThat(calls.husk("run", "--dir", "", "true")).isEqualTo(125);
    assertThat(calls.err()).contains("a path is empty");
    assertThat(calls.husk("run", "--profile", "", "true")).isEqualTo(2);
  }

  @Test
  void aReportHasEverything() {
    assertThat(calls.husk("run", "--json", "sh", "-c", "echo out; echo err >&2; exit 3"))
        .isEqualTo(3);
    assertThat(JsonPeek.at(calls.out(), "exit_code")).contains("3");
    assertThat(JsonPeek.at(calls.out(), "stdout")).contains("out\n");
    assertThat(JsonPeek.at(calls.out(), "stderr")).contains("err\n");
    assertThat(JsonPeek.at(calls.out(), "reason")).contains("exited");
    assertThat(JsonPeek.at(calls.out(), "sandbox")).contains("box");
    assertThat(JsonPeek.at(calls.out(), "truncated")).contains("false");
    assertThat(calls.err()).isEmpty();
  }

  @Test
  void aReportKeepsAMegabyteAndSaysWhatIsMissing() {
    assertThat(calls.husk("run", "--json", "head", "-c", "3000000", "/dev/zero")).isZero();
    assertThat(JsonPeek.at(calls.out(), "truncated")).contains("true");
    assertThat(JsonPeek.at(calls.out(), "stdout").orElseThrow()).hasSize(1 << 20);
  }

  @Test
  void optionsReachTheDaemon() {
    calls.environment.put("GIVEN", "here");
    calls.husk(
        "run",
        "-p",
        "restrictive",
        "-p",
        "8080:80",
        "-P",
        "9",
        "--no-network",
        "-B",
        "host",
        "--mount",
        "/tmp:/data:rw",
        "-e",
        "A=b=c",
        "-e",
        "GIVEN",
        "--dir",
        ".",
        "--allow",
        "*.example.org:443",
        "--deny",
        "x",
        "--memory",
        "2G",
        "--cpu",
        "50%",
        "--processes",
        "9",
        "--disk",
        "1.5GB",
        "--ttl",
        "1h30m",
        "true");
    assertThat(made())
        .contains(
            "\"profile\":\"restrictive\"",
            "\"ports\":[\"9\",\"8080:80\"]",
            "\"network\":false",
            "\"backend\":\"host\"",
            "\"mounts\":[\"/tmp:/data:rw\"]",
            "\"env\":{\"A\":\"b=c\",\"GIVEN\":\"here\"}",
            "\"dir\":\"" + calls.temp.path() + "\"",
            "\"allow\":[\"*.example.org:443\"]",
            "\"deny\":[\"x\"]",
            "\"memory_mb\":2048",
            "\"cpu_percent\":50",
            "\"processes\":9",
            "\"workspace_mb\":1536",
            "\"ttl_seconds\":5400");
  }

  @Test
  void execRunsInTheNamedSandbox() {
    assertThat(calls.husk("exec", "box", "-e", "A=1", "-w", "/", "--", "sh", "-c", "echo $A; pwd"))
        .isZero();
    assertThat(calls.out()).isEqualTo("1\n/\n");
    assertThat(made()).startsWith("POST /sandboxes/box/used");
    assertThat(calls.husk("exec", "box", "pwd")).isZero();
    assertThat(calls.out()).isEqualTo(house.workspace + "\n");
    assertThat(calls.husk("exec", "box", "-w", "/no/such/folder", "pwd")).isEqualTo(125);
  }

  @Test
  void aSandboxNamedAloneIsAnsweredWithWhatIsMissing() {
    assertThat(calls.husk("exec", "box")).isEqualTo(2);
    assertThat(calls.err()).contains("'box' is a sandbox, and no command is given");
  }

  @Test
  void detachedCommandsAreListedReadAndEnded() {
    assertThat(calls.husk("exec", "box", "-d", "sh", "-c", "echo hi; echo no >&2; sleep 300"))
        .as(calls.err())
        .isZero();
    var id = JsonPeek.at(calls.out(), "id").orElseThrow();
    assertThat(JsonPeek.at(calls.out(), "status")).contains("running");
    assertThat(JsonPeek.at(calls.out(), "command", "2"))
        .contains("echo hi; echo no >&2; sleep 300");
    assertThat(JsonPeek.at(calls.out(), "exit_code")).isEmpty();
    husk.testkit.Eventually.until(
        java.time.Duration.ofSeconds(30),
        () -> calls.husk("exec-logs", "box", id) == 0 && calls.out().equals("hi\n"),
        () -> calls.out() + calls.err());
    assertThat(calls.husk("sb", "exec-logs", "box", id, "--stderr")).isZero();
    assertThat(calls.out()).isEqualTo("no\n");
    assertThat(calls.husk("exec-kill", "box", id)).isZero();
    assertThat(calls.husk("exec-logs", "box", id, "--follow")).isEqualTo(143);
    assertThat(calls.husk("sandbox", "exec-list", "box")).isZero();
    assertThat(JsonPeek.at(calls.out(), "0", "status")).contains("failed");
    assertThat(JsonPeek.at(calls.out(), "0", "exit_code")).contains("143");
    assertThat(calls.husk("exec-kill", "box", id, "--signal", "NONSENSE")).isEqualTo(2);
    assertThat(calls.husk("exec-logs", "box", "nothing")).isEqualTo(3);
  }

  @Test
  void aTerminalIsGivenWhereItIsAskedFor() {
    assertThat(calls.husk("run", "--keep", "-t", "sh", "-c", "test -t 1 && stty size"))
        .as(calls.err())
        .isZero();
    assertThat(calls.out()).isEqualTo("24 80\r\n");
    assertThat(calls.husk("run", "--keep", "sh", "-c", "test -t 1")).isEqualTo(1);
  }

  @Test
  void outputIsPassedOnWhileTheCommandRuns() throws Exception {
    var first = new java.util.concurrent.CountDownLatch(1);
    var go = house.workspace.resolve("go");
    var noticing =
        new OutputStream() {
          @Override
          public void write(int b) {}

          @Override
          public void write(byte[] bytes) {
            if (new String(bytes, StandardCharsets.UTF_8).contains("first")) {
              first.countDown();
            }
          }
        };
    var call =
        Thread.ofVirtual()
            .start(
                () ->
                    calls.husk(
                        noticing,
                        "run",
                        "sh",
                        "-c",
                        "echo first; until test -e go; do sleep 0.05; done"));
    assertThat(first.await(30, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    assertThat(call.isAlive()).isTrue();
    Files.createFile(go);
    call.join();
  }
}
