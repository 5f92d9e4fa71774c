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
    int maxRequests,
    Optional<String> otlpEndpoint) {}
