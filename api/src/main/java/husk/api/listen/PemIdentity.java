package husk.api.listen;

import husk.model.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// Reads a certificate chain and its key from PEM files.
final class PemIdentity {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----(.+?)-----END PRIVATE KEY-----", Pattern.DOTALL);
  private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private PemIdentity() {}

  static TlsIdentity read(Path certificates, Path key) {
    try {
      var chain = chain(bytes(certificates), certificates);
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      var password = new char[0];
      store.setKeyEntry("husk", key(key), password, chain);
      return TlsIdentity.of(store, password, chain[0]);
    } catch (GeneralSecurityException | IOException e) {
      throw invalid("the certificate `" + certificates + "` and its key cannot be used: " + e)
          .causedBy(e);
    }
  }

  private static Certificate[] chain(byte[] pem, Path file) throws GeneralSecurityException {
    var found =
        CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem));
    if (found.isEmpty()) {
      throw invalid("`" + file + "` holds no certificate in PEM");
    }
    return found.toArray(Certificate[]::new);
  }

  private static PrivateKey key(Path file) {
    var text = new String(bytes(file), StandardCharsets.US_ASCII);
    var found = PKCS8.matcher(text);
    if (!found.find()) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "`" + file + "` holds no unencrypted key in PKCS #8",
          "`openssl pkcs8 -topk8 -nodes -in KEY -out key.pem` makes one of another key");
    }
    var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
    for (var algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
      } catch (GeneralSecurityException e) {
        // it is a key of another kind
      }
    }
    throw invalid("`" + file + "` holds a key of an unknown kind, not one of " + ALGORITHMS);
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw invalid("`" + file + "` cannot be read: " + e.getMessage()).causedBy(e);
    }
  }

  private static Problem invalid(String message) {
    return new Problem(Problem.Code.INVALID_SETTING, message);
  }
}
