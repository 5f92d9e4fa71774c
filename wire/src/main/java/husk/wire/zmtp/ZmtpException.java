package husk.wire.zmtp;

import java.io.IOException;

/// The peer does not speak ZMTP 3 as it should, or exceeds a limit. The connection is of no more
/// use.
public final class ZmtpException extends IOException {
  private static final long serialVersionUID = 1;

  ZmtpException(String message) {
    super(message);
  }
}
