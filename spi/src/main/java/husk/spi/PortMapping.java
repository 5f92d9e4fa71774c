package husk.spi;

/// A port inside that is reachable on the host's loopback.
///
/// @param host on the host; 0 for any that is free
/// @param inside in the sandbox
public record PortMapping(int host, int inside) {}
