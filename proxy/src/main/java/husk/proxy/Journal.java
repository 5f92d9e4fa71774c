package husk.proxy;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// Puts what happens on record: one event for each request.
final class Journal {
  private static final int LONGEST = 256;

  private final Consumer<EgressEvent> events;

  Journal(Consumer<EgressEvent> events) {
    this.events = events;
  }

  void allowed(Preface who, Access access, String rule) {
    tell(event(who, access, true, rule, ""));
  }

  void refused(Preface who, Access access, Refusal refusal) {
    var reason = refusal.reason();
    tell(event(who, access, reason.wasAllowed(), refusal.rule(), reason.wireName()));
  }

  /// Of something that was not understood far enough to know where it wanted to go.
  void refused(Preface who, String protocol, Refusal refusal) {
    tell(
        new EgressEvent(
            Instant.now(),
            false,
            protocol,
            "",
            0,
            Optional.empty(),
            Optional.empty(),
            refusal.rule(),
            refusal.reason().wireName(),
            who.pid(),
            who.process()));
  }

  private static EgressEvent event(
      Preface who, Access access, boolean allowed, String rule, String reason) {
    return new EgressEvent(
        Instant.now(),
        allowed,
        access.protocol(),
        access.host().text(),
        access.port(),
        access.method().map(it -> Printable.text(it, LONGEST)),
        access.path().map(it -> Printable.text(it.plain(), LONGEST)),
        rule,
        reason,
        who.pid(),
        who.process());
  }

  /// A listener that fails is no reason to let anything through, or to stop.
  private void tell(EgressEvent event) {
    try {
      events.accept(event);
    } catch (RuntimeException e) {
      System.getLogger(Journal.class.getName())
          .log(System.Logger.Level.WARNING, "an egress event was lost", e);
    }
  }
}
