package husk.api;

import io.helidon.webserver.http.HttpRules;

/// One group of routes. A new endpoint is a new class, and one line in [Server].
interface Endpoint {
  void register(HttpRules rules);
}
