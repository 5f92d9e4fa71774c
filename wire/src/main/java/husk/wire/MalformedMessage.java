package husk.wire;

/// A peer sent something that is not a Jupyter message, or one that is not signed with the key.
///
/// Checked, because a reader that forgets it dies of the first bad message. The connection is still
/// good: frames are apart from messages, and the next one can be read.
public final class MalformedMessage extends Exception {
  private static final long serialVersionUID = 1;

  MalformedMessage(String message) {
    super(message);
  }

  MalformedMessage(String message, Throwable cause) {
    super(message, cause);
  }
}
