package husk.store;

import java.nio.file.Path;

/// The contract, kept in memory.
class MemoryRegistryTest extends ExecutionsContract {
  @Override
  Registry open(Path folder) {
    return SqliteRegistry.inMemory();
  }
}
