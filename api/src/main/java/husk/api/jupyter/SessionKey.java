package husk.api.jupyter;

/// Which conversation it is.
///
/// @param sessionId the client's, or one made for a client that gave none
record SessionKey(String kernelId, String sessionId) {}
