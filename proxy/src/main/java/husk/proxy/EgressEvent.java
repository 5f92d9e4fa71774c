package husk.proxy;

import java.time.Instant;
import java.util.Optional;

/// One request of a sandbox and what became of it. What came from inside is made printable and cut
/// to a length before it gets here; it may still be a lie.
///
/// @param allowed whether the policy let it through; it may still have failed, see `reason`
/// @param protocol `http`, `connect`, `socks5`, or `unknown` where it never got that far
/// @param rule the rule that decided, `open`, or empty where no rule speaks of it
/// @param reason empty if all went well, or a stable code such as `not-allowed`
/// @param pid of the process that asked, as seen inside the sandbox; 0 if unknown
public record EgressEvent(
    Instant at,
    boolean allowed,
    String protocol,
    String host,
    int port,
    Optional<String> method,
    Optional<String> path,
    String rule,
    String reason,
    long pid,
    String process) {}
