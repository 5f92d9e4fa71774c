package husk;

import husk.core.Caller;
import husk.core.Core;
import husk.sandboxes.SandboxInfo;
import husk.spi.Egress;
import husk.spi.SandboxEvent;
import husk.wire.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// Sandboxes managed in this process.
final class LocalSandboxes implements SandboxDesk {
  private final Supplier<Core> core;
  private final Caller caller;

  LocalSandboxes(Supplier<Core> core, Caller caller) {
    this.core = core;
    this.caller = caller;
  }

  private husk.sandboxes.Sandboxes all() {
    return core.get().sandboxes();
  }

  @Override
  public SandboxRecord create(SandboxOptions options) {
    return SandboxRecord.of(core.get().createSandbox(options.request(), caller));
  }

  @Override
  public SandboxRecord info(String name) {
    return SandboxRecord.of(all().require(name));
  }

  @Override
  public List<SandboxRecord> list(Map<String, String> labels) {
    return all().list(labels).stream().map(SandboxRecord::of).toList();
  }

  @Override
  public SandboxRecord start(String name) {
    return SandboxRecord.of(all().start(name));
  }

  @Override
  public SandboxRecord stop(String name) {
    return SandboxRecord.of(all().stop(name));
  }

  @Override
  public boolean remove(String name) {
    return all().remove(name);
  }

  @Override
  public SandboxRecord extend(String name, Duration by) {
    return SandboxRecord.of(all().extend(name, by));
  }

  @Override
  public SandboxRecord describe(
      String name, Optional<Map<String, String>> labels, Optional<String> description) {
    return SandboxRecord.of(all().describe(name, now -> labels.orElse(now), description));
  }

  @Override
  public SandboxRecord egress(
      String name, List<String> allow, List<String> deny, List<String> forget) {
    SandboxInfo changed =
        all()
            .egress(
                name,
                now ->
                    new Egress(
                        now.open(),
                        rules(now.allow(), allow, deny, forget),
                        rules(now.deny(), deny, allow, forget)));
    return SandboxRecord.of(changed);
  }

  /// A rule that is allowed is no longer denied, and the other way round.
  private static List<String> rules(
      List<String> now, List<String> more, List<String> opposite, List<String> forgotten) {
    var rules = new ArrayList<>(now);
    rules.removeAll(opposite);
    more.stream().filter(rule -> !rules.contains(rule)).forEach(rules::add);
    rules.removeAll(forgotten);
    return rules;
  }

  @Override
  public SandboxEvents events(String name, long after, Duration wait) {
    var page = all().events(name, after, wait);
    return new SandboxEvents(
        page.lines().stream().map(line -> Json.read(line, SandboxEvent.class)).toList(),
        page.next());
  }

  @Override
  public husk.spi.Sandbox inside(String name) {
    return all().use(name);
  }
}
