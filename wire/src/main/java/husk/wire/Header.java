package husk.wire;

import java.time.Instant;
import java.util.UUID;

/// A message's header. What a peer left out is an empty string.
///
/// @param msgId unique among messages
/// @param msgType for example `execute_request`
/// @param session the sender
/// @param username the sender's user name
/// @param date ISO-8601
/// @param version the protocol's
public record Header(
    String msgId, String msgType, String session, String username, String date, String version) {
  private static final String VERSION = "5.4";

  /// A new message's, dated now.
  public static Header of(String msgType, String session) {
    return new Header(
        UUID.randomUUID().toString(),
        msgType,
        session,
        "husk",
        HuskTypes.isoFormat(Instant.now()),
        VERSION);
  }

  Header withId(String id) {
    return new Header(id, msgType, session, username, date, version);
  }
}
