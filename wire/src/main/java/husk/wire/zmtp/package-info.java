/// A ZeroMQ client: ZMTP 3 frames over a Unix or TCP socket, for sockets of type DEALER, SUB and
/// REQ.
///
/// Owns: the greeting, the NULL handshake, framing, and the limits a peer is held to. Called by:
/// the kernels' channels. Calls: [java.nio.channels.SocketChannel]. Never: reconnects, queues,
/// starts a reader, or knows what a Jupyter message is. Start reading at [ZmtpSocket];
/// [FrameDecoder], [FrameEncoder], [Greeting] and [ReadyCommand] are pure and work on bytes alone.
@NullMarked
package husk.wire.zmtp;

import org.jspecify.annotations.NullMarked;
