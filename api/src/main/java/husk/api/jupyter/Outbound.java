package husk.api.jupyter;

import java.nio.ByteBuffer;
import java.util.List;

/// A message for a client, in its sub-protocol's form.
///
/// @param parts one after the other they are the frame's payload
record Outbound(boolean text, List<ByteBuffer> parts) {}
