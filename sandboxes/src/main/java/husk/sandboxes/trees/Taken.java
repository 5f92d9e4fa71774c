package husk.sandboxes.trees;

/// What a snapshot took.
///
/// @param files regular files in it
/// @param copied those among them whose content was copied, the rest being shared with the previous
///   snapshot or under another name
/// @param bytes what was copied
/// @param skipped what could not be taken, each with the reason; it is left alone by a restore
public record Taken(int files, int copied, long bytes, PathList skipped) {}
