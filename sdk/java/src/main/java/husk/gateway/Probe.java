package husk.gateway;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A question to a kernel that only its answer matters of: it proves that messages come through on
/// both channels, and that everything sent before it has been dealt with.
final class Probe {
  private final CompletableFuture<Void> reply = new CompletableFuture<>();
  private final CompletableFuture<Void> idle = new CompletableFuture<>();

  void hear(String type, String state) {
    if (type.equals("kernel_info_reply")) {
      reply.complete(null);
    } else if (type.equals("status") && state.equals("idle")) {
      idle.complete(null);
    }
  }

  CompletableFuture<Void> answered() {
    return CompletableFuture.allOf(reply, idle);
  }

  boolean answeredWithin(long millis) {
    try {
      answered().get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
