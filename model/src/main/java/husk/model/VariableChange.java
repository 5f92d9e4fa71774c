package husk.model;

import java.util.Optional;

/// A variable that is not what it was. One whose content changed may look as before.
///
/// @param before empty if it was not there
/// @param after empty if it is gone
public record VariableChange(String name, Optional<Variable> before, Optional<Variable> after) {}
