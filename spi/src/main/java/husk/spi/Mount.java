package husk.spi;

import java.nio.file.Path;

/// A file or folder of the host, seen inside.
///
/// @param source on the host
/// @param target inside, absolute
/// @param writable whether what is done inside is done to the host's
public record Mount(Path source, Path target, boolean writable) {}
