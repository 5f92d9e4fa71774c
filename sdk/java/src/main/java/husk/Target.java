package husk;

import husk.model.KernelRecord;

/// The kernel a caller means.
///
/// @param identifier its id, name or session name
/// @param create whether it is made when there is none: by a name it is, by a record it is not
record Target(String identifier, boolean create) {
  static Target of(String nameOrId) {
    return new Target(nameOrId, true);
  }

  static Target of(KernelRecord kernel) {
    return new Target(kernel.kernelId(), false);
  }
}
