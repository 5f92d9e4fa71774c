package husk.api.listen;

import husk.kernels.PrivateFiles;
import husk.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A certificate that Husk makes itself, once per home and host, with the `keytool` of its Java.
/// Clients are to be told to trust `tls/HOST.pem`.
final class MadeIdentity {
  /// It guards nothing: the file can be read by its owner alone.
  private static final String PASSWORD = "husk-tls";

  private MadeIdentity() {}

  static TlsIdentity of(Path home, String host, String address) {
    var folder = home.resolve("tls");
    PrivateFiles.directory(folder);
    var name = host.replaceAll("[^A-Za-z0-9.-]", "_");
    var file = folder.resolve(name + ".p12");
    try {
      if (!Files.exists(file)) {
        make(file, host, address);
      }
      var store = KeyStore.getInstance("PKCS12");
      try (var in = Files.newInputStream(file)) {
        store.load(in, PASSWORD.toCharArray());
      }
      var certificate = store.getCertificate("husk");
      Files.writeString(folder.resolve(name + ".pem"), pem(certificate.getEncoded()));
      return TlsIdentity.of(store, PASSWORD.toCharArray(), certificate);
    } catch (IOException | GeneralSecurityException e) {
      throw new Problem(
              Problem.Code.INVALID_SETTING,
              "the certificate in `" + file + "` cannot be made or read: " + e,
              "remove the file, or give a certificate with `--tls-cert` and `--tls-key`")
          .causedBy(e);
    }
  }

  private static void make(Path file, String host, String address) throws IOException {
    var unready = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(unready);
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "husk",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-validity",
            "825",
            "-dname",
            "CN=husk",
            "-storetype",
            "PKCS12",
            "-ext",
            "san=" + names(host, address),
            "-ext",
            "eku=serverAuth",
            "-storepass",
            PASSWORD,
            "-keystore",
            unready.toString());
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var out = process.getInputStream()) {
      var said = new String(out.readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool failed: " + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool ran", e);
    }
    Files.setPosixFilePermissions(unready, PosixFilePermissions.fromString("rw-------"));
    Files.move(unready, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String names(String host, String address) {
    var names = "dns:localhost,ip:127.0.0.1,ip:::1,ip:" + address;
    return host.matches("[A-Za-z0-9-]+(\\.[A-Za-z][A-Za-z0-9-]*)*")
        ? names + ",dns:" + host
        : names;
  }

  private static String pem(byte[] certificate) {
    var lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate);
    return "-----BEGIN CERTIFICATE-----\n" + lines + "\n-----END CERTIFICATE-----\n";
  }
}
