package husk.model;

import java.util.Optional;

/// How a kernel's present state differs from another: what was added since, removed and changed.
///
/// @param against the checkpoint's label or id, or the other kernel's name or id
/// @param files empty where the kernel's files are not its own: outside of sandboxes, and in one
///   that several share
/// @param partial whether something could not be looked at, or was more than is listed
public record StateDiff(
    String against, VariableChanges variables, Optional<FileChanges> files, boolean partial) {}
