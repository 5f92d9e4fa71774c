package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/// `husk run`.
final class SandboxRunTest extends SandboxTest {

  @Test
  void streamsStayApartAndNothingIsLeft() {
    var outcome = husk.run("run", "sh", "-c", "echo out; echo err >&2");
    assertThat(outcome.exit()).isZero();
    assertThat(outcome.out()).isEqualTo("out\n");
    assertThat(outcome.err()).isEqualTo("err\n");
    assertThat(husk.run("sandbox", "list", "--names").out()).isEmpty();
  }

  @Test
  void exitCodesPassThrough() {
    assertThat(husk.run("run", "true").exit()).isZero();
    assertThat(husk.run("run", "sh", "-c", "exit 7").exit()).isEqualTo(7);
    assertThat(husk.run("run", "sh", "-c", "kill -9 $$").exit()).isEqualTo(137);
    assertThat(husk.run("run", "no-such-program").exit()).isEqualTo(127);
    assertThat(husk.run("run", "/etc").exit()).isEqualTo(126);
    assertThat(husk.run("run", "--timeout", "0.5", "sleep", "100").exit()).isEqualTo(124);
  }

  @Test
  void whatHuskCannotDoIs125AndSaysWhy() {
    var refused = husk.run("run", "--profile", "nonsense", "true");
    assertThat(refused.exit()).isEqualTo(125);
    assertThat(refused.err()).contains("nonsense");
    assertThat(husk.run("run", "--mount", "/no/such/place:/x", "true").exit()).isEqualTo(125);
    assertThat(husk.run("exec", "nobody", "true").exit()).isEqualTo(125);
  }

  @Test
  void wordsAreNeverJoinedIntoAShellLine() {
    var words =
        new String[] {
          "run", "printf", "<%s>", "", "a b", "it's \"q\"", "x\ny", "$HOME;`id`", "é🌽", "--", "-k"
        };
    assertThat(out(words)).isEqualTo("<><a b><it's \"q\"><x\ny><$HOME;`id`><é🌽><--><-k>");
  }

  @Test
  void standardInputIsPassedOnToItsEnd() {
    var text = "line\n".repeat(100_000);
    var outcome = husk.runWithInput(text, "run", "wc", "-c");
    assertThat(outcome.out().strip()).isEqualTo("500000");
  }

  @Test
  void fiftyMegabytesOfAnyBytesArriveWhole() throws Exception {
    var process =
        husk.start(
            "run", "sh", "-c", "head -c 52428800 /dev/urandom | tee big | cat; sha256sum big >&2");
    var digest = java.security.MessageDigest.getInstance("SHA-256");
    long count = 0;
    try (var out = process.getInputStream()) {
      var piece = new byte[1 << 16];
      for (int n = out.read(piece); n >= 0; n = out.read(piece)) {
        digest.update(piece, 0, n);
        count += n;
      }
    }
    var err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(err).isZero();
    assertThat(count).isEqualTo(52_428_800);
    assertThat(err).startsWith(java.util.HexFormat.of().formatHex(digest.digest()));
  }

  @Test
  void closedStreamsAreEmptyAndNotFilesOfHusk() {
    assertThat(husk.shell("\"$0\" run wc -c <&-").out().strip()).isEqualTo("0");
    assertThat(husk.shell("\"$0\" run sh -c 'echo out; exit 3' >&-").exit()).isEqualTo(3);
    assertThat(husk.shell("\"$0\" run sh -c 'echo err >&2; exit 3' 2>&-").exit()).isEqualTo(3);
  }

  @Test
  void signalsReachTheCommandAndTheSandboxIsGone() throws Exception {
    var process =
        husk.start(
            "run",
            "sh",
            "-c",
            "trap 'echo got; exit 5' INT; echo ready; while :; do sleep 0.1; done");
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).isEqualTo("ready");
    signal("INT", process);
    assertThat(out.readLine()).isEqualTo("got");
    assertThat(process.waitFor()).isEqualTo(5);
    assertThat(out("sandbox", "list", "--names")).isEmpty();
  }

  @Test
  void theReaderOfAPipeMayLeave() throws Exception {
    var process = husk.start("run", "yes");
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).isEqualTo("y");
    out.close();
    assertThat(process.waitFor()).isEqualTo(141);
    assertThat(out("sandbox", "list", "--names")).isEmpty();
  }

  @Test
  void aKeptSandboxCanBeUsedAgain() {
    var outcome = husk.run("run", "--keep", "sh", "-c", "echo kept > file");
    assertThat(outcome.exit()).isZero();
    var name = out("sandbox", "list", "--names").strip();
    assertThat(outcome.err())
        .isEqualTo(
            "\nSandbox '" + name + "' kept. Remove with: husk sandbox remove " + name + "\n");
    assertThat(out("exec", name, "cat", "file")).isEqualTo("kept\n");
  }

  @Test
  void itSeesOnlyWhatItWasGiven() throws Exception {
    husk.environment.put("SECRET_TOKEN", "hunter2");
    husk.environment.put("GIVEN", "yes");
    Files.createDirectory(work("mine"));
    write("mine/file", "read me");
    assertThat(out("run", "-e", "GIVEN", "-e", "A=b", "env"))
        .contains("GIVEN=yes\n", "A=b\n")
        .doesNotContain("hunter2");
    assertThat(out("run", "--mount", "mine:/data", "cat", "/data/file")).isEqualTo("read me");
    assertThat(husk.run("run", "--mount", "mine:/data", "sh", "-c", "echo x > /data/file").exit())
        .isNotZero();
    out("run", "--dir", "mine", "sh", "-c", "echo written > file");
    assertThat(work("mine/file")).hasContent("written");
    assertThat(husk.run("run", "cat", work("mine/file").toString()).exit()).isNotZero();
  }

  @Test
  void aLimitThatIsReachedIsNamedWithItsOption() {
    var outcome =
        husk.run(
            "run",
            "--memory",
            "64M",
            "sh",
            "-c",
            "head -c 300000000 /dev/zero | tail > /dev/null; exec tail /dev/zero");
    assertThat(outcome.exit()).as(outcome.err()).isNotZero();
    assertThat(outcome.err()).contains("out of memory", "64 MB", "`--memory`");
  }

  @Test
  void aReportIsOneObject() {
    var outcome = husk.run("run", "--json", "sh", "-c", "echo out; echo err >&2; exit 3");
    assertThat(outcome.exit()).isEqualTo(3);
    assertThat(outcome.json().path("exit_code").asInt()).isEqualTo(3);
    assertThat(outcome.json().path("stdout").asString()).isEqualTo("out\n");
    assertThat(outcome.json().path("stderr").asString()).isEqualTo("err\n");
  }
}
