/// Executions as streams of server-sent events that can be taken up again where they broke off.
///
/// Owns: the events' form, the logs they are kept in for a while, and their sending. Called by: the
/// endpoints that execute. Never: runs anything itself. Start reading at [EventLogs].
@NullMarked
package husk.api.sse;

import org.jspecify.annotations.NullMarked;
