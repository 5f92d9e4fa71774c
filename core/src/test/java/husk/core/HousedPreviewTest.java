package husk.core;

import static org.assertj.core.api.Assertions.assertThat;

import husk.model.ContactedHost;
import husk.model.ExecuteRequest;
import husk.model.FileChanges;
import husk.model.KernelOptions;
import husk.model.KernelPlace;
import husk.model.Rollback;
import husk.spi.Egress;
import husk.testkit.LeakDetector;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Kernels in sandboxes of their own: files and hosts are seen too.
@ExtendWith(LeakDetector.class)
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousedPreviewTest extends PreviewContract {
  @Override
  KernelOptions options() {
    return host.options()
        .at(new KernelPlace(Optional.of("bubblewrap"), Optional.empty(), Optional.empty()));
  }

  @Test
  void filesAreToldAndGoBackWithTheRest() {
    make("a");
    value("a", "open('old', 'w').write('1'); open('gone', 'w').write('2')");

    var effects =
        effects("a", "import os; os.remove('gone'); open('old', 'w').write('9'); open('new', 'w')");

    assertThat(effects.files())
        .contains(
            new FileChanges(
                List.of("/workspace/new"), List.of("/workspace/old"), List.of("/workspace/gone")));
    host.core.discardPreview("a");
    assertThat(value("a", "import os; sorted(os.listdir('.')), open('old').read()"))
        .isEqualTo("(['gone', 'old'], '1')");
  }

  @Test
  void filesOfAPreviewThatKilledItsKernelAreToldAllTheSame() {
    make("a");
    var died =
        run(
            "a",
            ExecuteRequest.of("open('f', 'w').write('1'); import os; os._exit(1)")
                .previewing()
                .rollingBack(Rollback.ALWAYS));
    assertThat(died.effects().orElseThrow().files().orElseThrow().added())
        .containsExactly("/workspace/f");
    assertThat(value("a", "import os; os.listdir('.')")).isEqualTo("[]");
  }

  @Test
  void hostsAreToldAndWhetherTheyWereAllowed() throws IOException {
    make("a");
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var place = "127.0.0.1:" + server.getLocalPort();
      allow("a", place);
      value("a", CALL);

      var effects =
          effects("a", "call('%s'); call('%s'); call('127.0.0.1:1')".formatted(place, place));

      assertThat(effects.hosts())
          .contains(
              List.of(
                  new ContactedHost("127.0.0.1", server.getLocalPort(), true),
                  new ContactedHost("127.0.0.1", 1, false)));
      host.core.keepPreview("a");
      assertThat(effects("a", "x = 1").hosts()).contains(List.of());
    }
  }

  /// Through the proxy, as far as its answer.
  private static final String CALL =
      """
      import os, socket, urllib.parse
      def call(place):
        proxy = urllib.parse.urlsplit(os.environ['https_proxy'])
        with socket.create_connection((proxy.hostname, proxy.port)) as way:
          way.sendall(b'CONNECT %s HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' % place.encode())
          return way.recv(100)
      """;

  private void allow(String kernel, String place) {
    var sandbox = KernelHomes.name(host.core.require(kernel).kernelId());
    host.core.sandboxes().egress(sandbox, _ -> new Egress(false, List.of(place), List.of()));
  }
}
