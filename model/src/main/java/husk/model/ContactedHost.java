package husk.model;

/// A place in the network that something in a sandbox wanted to reach.
///
/// @param allowed whether the sandbox's rules let it; it may have failed all the same
public record ContactedHost(String host, int port, boolean allowed) {}
