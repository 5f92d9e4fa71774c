package husk.model;

import java.util.List;
import java.util.Optional;

/// What a previewed execution did. What could not be seen is empty.
///
/// @param checkpoint the label of the state before it, while it is open whether it stays
/// @param variables empty if the kernel died of it
/// @param files empty where the kernel's files are not its own
/// @param processes empty if the kernel died of it
/// @param hosts empty where no proxy stands between the kernel and the network
/// @param partial whether something could not be looked at, or was more than is listed
public record Effects(
    Optional<String> checkpoint,
    Optional<VariableChanges> variables,
    Optional<FileChanges> files,
    Optional<List<StartedProcess>> processes,
    Optional<List<ContactedHost>> hosts,
    boolean partial) {

  /// The same with the decision made.
  public Effects decided() {
    return new Effects(Optional.empty(), variables, files, processes, hosts, partial);
  }
}
