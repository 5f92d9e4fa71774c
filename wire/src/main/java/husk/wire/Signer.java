package husk.wire;

import husk.model.Problem;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs messages with a connection's key. An empty key means that nothing is signed or checked.
///
/// Safe for many threads: a [Mac] is not, so each signature makes its own.
public final class Signer {
  private final String algorithm;
  private final Optional<SecretKeySpec> key;

  /// @param key the connection file's `key`
  /// @param scheme the connection file's `signature_scheme`, such as `hmac-sha256`
  public Signer(String key, String scheme) {
    this.algorithm = algorithm(scheme);
    this.key =
        key.isEmpty()
            ? Optional.empty()
            : Optional.of(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), algorithm));
    mac(scheme);
  }

  /// Hexadecimal digits; empty without a key.
  public String sign(byte[]... parts) {
    if (key.isEmpty()) {
      return "";
    }
    var mac = mac(algorithm);
    try {
      mac.init(key.get());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key made for " + algorithm + " is refused by it", e);
    }
    for (var part : parts) {
      mac.update(part);
    }
    return HexFormat.of().formatHex(mac.doFinal());
  }

  /// Whether the parts were signed with this key, in a time that does not depend on the answer.
  public boolean verify(byte[] signature, byte[]... parts) {
    return key.isEmpty()
        || MessageDigest.isEqual(sign(parts).getBytes(StandardCharsets.US_ASCII), signature);
  }

  private Mac mac(String named) {
    try {
      return Mac.getInstance(algorithm);
    } catch (GeneralSecurityException e) {
      throw unsupported(named).causedBy(e);
    }
  }

  /// `hmac-sha256` is `HmacSHA256` to the JDK, and `hmac-sha3_256` is `HmacSHA3-256`.
  private static String algorithm(String scheme) {
    if (!scheme.startsWith("hmac-")) {
      throw unsupported(scheme);
    }
    return "Hmac" + scheme.substring(5).toUpperCase(Locale.ROOT).replace('_', '-');
  }

  private static Problem unsupported(String scheme) {
    return new Problem(
        Problem.Code.INVALID_REQUEST,
        "signature scheme `" + scheme + "` is not supported",
        "use `hmac-sha256`");
  }
}
