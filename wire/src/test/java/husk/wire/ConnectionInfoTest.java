package husk.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionInfoTest {
  private static final ConnectionInfo TCP =
      new ConnectionInfo(
          "tcp", "127.0.0.1", 5001, 5002, 5003, 5004, 5005, "s3cret", "hmac-sha256", "python3");

  @Test
  void isWrittenAsJupyterWritesIt() {
    assertThat(TCP.toJson())
        .isEqualTo(
            """
            {
              "shell_port": 5001,
              "iopub_port": 5002,
              "stdin_port": 5003,
              "control_port": 5004,
              "hb_port": 5005,
              "ip": "127.0.0.1",
              "key": "s3cret",
              "transport": "tcp",
              "signature_scheme": "hmac-sha256",
              "kernel_name": "python3"
            }\
            """);
  }

  @Test
  void survivesTheRoundTrip() {
    assertThat(ConnectionInfo.parse(TCP.toJson().getBytes(UTF_8))).isEqualTo(TCP);
  }

  @Test
  void keysUnknownHereAreIgnoredAndOptionalOnesHaveJupytersDefaults() {
    var info =
        parse(
            "{'shell_port':1,'iopub_port':2,'stdin_port':3,'control_port':4,'hb_port':5,"
                + "'jupyter_session':'x','key':''}");
    assertThat(info)
        .isEqualTo(new ConnectionInfo("tcp", "127.0.0.1", 1, 2, 3, 4, 5, "", "hmac-sha256", ""));
  }

  @Test
  void tcpEndpointsAreAddressAndPort() {
    assertThat(TCP.endpoint(Channel.IOPUB)).isEqualTo(new Endpoint.Tcp("127.0.0.1", 5002));
    assertThat(TCP.endpoint(Channel.HEARTBEAT)).isEqualTo(new Endpoint.Tcp("127.0.0.1", 5005));
  }

  @Test
  void ipcEndpointsArePathsThatEndInTheNumber() {
    var ipc = new ConnectionInfo("ipc", "/run/k/sock", 1, 2, 3, 4, 5, "k", "hmac-sha256", "");
    assertThat(List.of(Channel.values()))
        .extracting(ipc::endpoint)
        .containsExactly(
            new Endpoint.Unix(Path.of("/run/k/sock-1")),
            new Endpoint.Unix(Path.of("/run/k/sock-2")),
            new Endpoint.Unix(Path.of("/run/k/sock-3")),
            new Endpoint.Unix(Path.of("/run/k/sock-4")),
            new Endpoint.Unix(Path.of("/run/k/sock-5")));
  }

  @Test
  void itsTextDoesNotShowTheKey() {
    assertThat(TCP.toString()).contains("127.0.0.1").doesNotContain("s3cret");
  }

  @Test
  void fileThatCannotBeOneIsAProblem() {
    var ports = "'iopub_port':2,'stdin_port':3,'control_port':4,'hb_port':5";
    for (var bad :
        List.of(
            "[]",
            "{" + ports + "}",
            "{'shell_port':'1'," + ports + "}",
            "{'shell_port':70000," + ports + "}",
            "{'shell_port':-1," + ports + "}",
            "{'shell_port':99999999999," + ports + "}",
            "{'shell_port':1.5," + ports + "}",
            "{'shell_port':1,'transport':'udp'," + ports + "}",
            "{'shell_port':1,'key':7," + ports + "}")) {
      assertThatThrownBy(() -> parse(bad)).as(bad).isInstanceOf(Problem.class);
    }
  }

  private static ConnectionInfo parse(String json) {
    return ConnectionInfo.parse(json.replace('\'', '"').getBytes(UTF_8));
  }
}
