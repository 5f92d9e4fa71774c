package husk.api;

/// One group of routes. A new endpoint is a new class, and one line in `server.Dialects`.
public interface Endpoint {
  void register(Routes rules);
}
