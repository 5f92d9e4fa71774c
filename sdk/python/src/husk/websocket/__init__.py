"""A WebSocket client (RFC 6455) on asyncio's streams.

Owns: the bytes of the protocol. Called by: `husk.kernel_mgr`. Never: knows what a message means. Start reading at
`connection.WebSocket`; `frames` and `handshake` do no input or output, so that they can be tested to the byte.
"""
