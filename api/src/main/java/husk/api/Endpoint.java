package husk.api;

/// One group of routes. A new endpoint is a new class, and one line in [Server].
public interface Endpoint {
  void register(Routes rules);
}
