package husk.sandboxes.trees;

import java.util.Map;

/// One name in a snapshot, as the live folder had it when the copy was made.
sealed interface Entry {

  /// A regular file; what is [Settled] is known by its attributes, the rest by its content.
  record File(Attributes attributes, boolean settled) implements Entry {

    /// Nobody has touched it since, and nobody need read it to know.
    boolean untouched(Attributes now) {
      return settled && attributes.sameStamp(now);
    }

    boolean hasOtherNames() {
      return attributes.nlink() > 1;
    }
  }

  /// A symbolic link; where it points to is in the copy.
  record Link(Attributes attributes) implements Entry {}

  /// A folder and what is in it, by [Names#key].
  record Folder(Attributes attributes, Map<String, Entry> children) implements Entry {}

  /// Something that was there and has no copy: a socket, or a file that could not be read. It is
  /// left alone when the rest is put back.
  record Skipped(String why) implements Entry {}
}
