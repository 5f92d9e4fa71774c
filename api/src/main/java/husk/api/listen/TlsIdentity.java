package husk.api.listen;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.util.HexFormat;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/// A certificate and its key, ready to speak TLS with.
///
/// @param context speaks TLS as it
/// @param fingerprint SHA-256 of the certificate, as clients show it
record TlsIdentity(SSLContext context, String fingerprint) {

  static TlsIdentity of(KeyStore store, char[] password, Certificate certificate)
      throws GeneralSecurityException {
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, new SecureRandom());
    var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    return new TlsIdentity(context, HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest));
  }
}
