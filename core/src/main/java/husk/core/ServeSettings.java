package husk.core;

import java.util.List;
import java.util.Optional;

/// The settings in force for serving over TCP.
///
/// @param host where to listen
/// @param port 0 for any that is free
/// @param apiKeys what callers must show one of
/// @param apiKeyFile where more such keys stand, one per line
/// @param tls whether to speak TLS with a certificate made here
/// @param tlsCert a certificate chain to speak TLS with
/// @param tlsKey its key
/// @param allowOrigins origins of web pages that may call
/// @param allowHostBackend whether callers may do without a sandbox
/// @param allowMounts folders below which callers may mount what they like
/// @param allowProfiles profiles that callers may ask for
/// @param allowPython whether callers may name any interpreter
/// @param allowPrivateNetwork whether callers' sandboxes may reach addresses that are not public
/// @param allowPublish whether callers may choose the ports that they publish
/// @param maxRequests how many requests are worked on at once
/// @param otlpEndpoint where traces go
public record ServeSettings(
    String host,
    int port,
    List<String> apiKeys,
    Optional<String> apiKeyFile,
    boolean tls,
    Optional<String> tlsCert,
    Optional<String> tlsKey,
    List<String> allowOrigins,
    boolean allowHostBackend,
    List<String> allowMounts,
    List<String> allowProfiles,
    boolean allowPython,
    boolean allowPrivateNetwork,
    boolean allowPublish,
    int maxRequests,
    Optional<String> otlpEndpoint) {}
