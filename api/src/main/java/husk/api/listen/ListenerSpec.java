package husk.api.listen;

import husk.core.Caller;
import husk.core.Opened;
import husk.model.KernelProcess;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/// What a listener is to be.
///
/// @param host as it was given, which is what callers may name in `Host`
/// @param address what the host resolves to
/// @param port 0 for any that is free
/// @param keys what callers must show
/// @param tls how to speak TLS
/// @param allowOrigins origins of web pages that may call
/// @param opened what callers may ask for beyond what is given
/// @param maxRequests how many requests are worked on at once
/// @param otlpEndpoint where traces go
/// @param caller whom requests are served for
/// @param owner the process it is opened for; it is closed when that is gone
record ListenerSpec(
    String host,
    InetAddress address,
    int port,
    ApiKeys keys,
    Optional<TlsIdentity> tls,
    List<String> allowOrigins,
    Opened opened,
    int maxRequests,
    Optional<KernelProcess> owner,
    Optional<String> otlpEndpoint,
    Caller caller) {}
