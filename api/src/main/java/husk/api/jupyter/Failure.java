package husk.api.jupyter;

import husk.model.Death;
import husk.wire.Json;
import tools.jackson.databind.node.ObjectNode;

/// Why a request failed that the kernel could not answer, in Jupyter's words for an exception.
record Failure(String ename, String evalue) {
  static Failure died(Death death) {
    return new Failure("KernelDied", death.toThoseWhoWait());
  }

  static Failure restarted() {
    return new Failure("KernelRestarted", "the kernel was restarted; its variables are lost");
  }

  static Failure replaced() {
    return new Failure("KernelReplaced", Death.replaced().detail());
  }

  static Failure destroyed() {
    return new Failure("KernelDestroyed", "the kernel was destroyed");
  }

  static Failure dead() {
    return new Failure("KernelDied", "the kernel is dead and could not be started; restart it");
  }

  ObjectNode content() {
    var content = Json.MAPPER.createObjectNode();
    content.put("ename", ename);
    content.put("evalue", evalue);
    content.putArray("traceback").add(ename + ": " + evalue);
    return content;
  }
}
