package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import husk.local.JsonPeek;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// `husk attach`, its recordings, and `husk replay`.
@ExtendWith(LeakDetector.class)
@Timeout(60)
final class RecordingTest {
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

  @Test
  void aShellGetsATerminalAndItsExitCodePassesThrough() {
    calls.input = "test -t 0 && echo yes-$((40+2)); exit 9\n";
    assertThat(calls.husk("attach", "box")).as(calls.err()).isEqualTo(9);
    assertThat(calls.out()).contains("yes-42\r\n");
    calls.input = "";
    assertThat(calls.husk("attach", "box", "-e", "A=b", "--", "sh", "-c", "echo $A")).isZero();
    assertThat(calls.out()).isEqualTo("b\r\n");
  }

  @Test
  void aRecordingIsValidForAnyBytesAndCanBeReplayed() throws IOException {
    Files.writeString(
        house.workspace.resolve("say"),
        "printf '\\033[1mbold\\303'; sleep 0.3; printf '\\251\\377\"\\\\end\\n'");
    assertThat(calls.husk("attach", "box", "--record", "s.cast", "--", "sh", "say"))
        .as(calls.err())
        .isZero();
    var file = calls.temp.resolve("s.cast");
    assertThat(calls.err())
        .isEqualTo(
            "Recording session to: "
                + file
                + "\nSession saved to: "
                + file
                + "\nReplay with: husk replay "
                + file
                + "\n");
    var lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    assertThat(JsonPeek.at(lines.getFirst(), "version")).contains("2");
    assertThat(JsonPeek.at(lines.getFirst(), "width")).contains("80");
    var said = new StringBuilder();
    for (var line : lines.subList(1, lines.size())) {
      assertThat(JsonPeek.at(line, "1")).contains("o");
      said.append(JsonPeek.at(line, "2").orElseThrow());
    }
    assertThat(said).hasToString("\u001b[1mboldé\ufffd\"\\end\r\n");
    assertThat(Double.parseDouble(JsonPeek.at(lines.getLast(), "0").orElseThrow()))
        .isGreaterThan(0.2);
    assertThat(calls.husk("replay", "s.cast", "--speed", "1000")).isZero();
    assertThat(calls.out()).isEqualTo(said.toString());
    assertThat(calls.err()).contains("80x24");
  }

  @Test
  void aFolderGetsAFileNamedAfterTheSandbox() throws IOException {
    assertThat(calls.husk("attach", "box", "--record", ".", "--", "true")).as(calls.err()).isZero();
    try (var found = Files.newDirectoryStream(calls.temp.path(), "box-*.cast")) {
      assertThat(found.iterator().next().getFileName().toString())
          .matches("box-\\d{8}-\\d{6}\\.cast");
    }
  }

  @Test
  void whatIsNoRecordingIsRefusedByItsLine() throws IOException {
    Files.writeString(calls.temp.resolve("bad"), "{\"version\":2}\n[0.1,\"o\",\"x\"]\nnonsense\n");
    assertThat(calls.husk("replay", "bad")).isEqualTo(6);
    assertThat(calls.err()).contains("line 3 is malformed");
    assertThat(calls.husk("replay", "missing")).isEqualTo(6);
    assertThat(calls.husk("replay", "bad", "--speed", "0")).isEqualTo(2);
  }
}
