package husk.core;

import husk.model.Checkpoint;
import husk.model.Effects;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.sandboxes.EgressWatch;
import java.util.Optional;

/// One previewed execution, from the state before it to what is known of its effects.
final class Preview implements Tentative.Preview {
  private static final System.Logger LOG = System.getLogger("husk.core");

  private final Previews previews;
  private final KernelRecord record;
  private final Checkpoint before;
  private final StoredLaunch stored;
  private final Look look;
  private final Optional<EgressWatch> hosts;
  private boolean open;

  Preview(
      Previews previews,
      KernelRecord record,
      Checkpoint before,
      StoredLaunch stored,
      Look look,
      Optional<EgressWatch> hosts) {
    this.previews = previews;
    this.record = record;
    this.before = before;
    this.stored = stored;
    this.look = look;
    this.hosts = hosts;
  }

  /// The code has run: nothing that fails from here on may take its result away.
  @Override
  public ExecutionResult told(ExecutionResult result, KernelRecord now) {
    var after = result.death().isPresent() ? Optional.<Look>empty() : look(now);
    var changed = files();
    var effects =
        new Effects(
            before.label(),
            after.map(seen -> VariableDiffs.between(look.variables(), seen.variables())),
            changed.map(FileDiffs.Compared::changes),
            after.map(Look::processes),
            hosts.map(EgressWatch::hosts),
            look.partial()
                || after.map(Look::partial).orElse(true)
                || changed.map(FileDiffs.Compared::more).orElse(before.files())
                || hosts.map(EgressWatch::more).orElse(false));
    return result.with(effects);
  }

  private Optional<Look> look(KernelRecord now) {
    try {
      return Optional.of(Look.at(previews.kernels().client(now), Look.Watch.END));
    } catch (RuntimeException unanswered) {
      return unseen(unanswered);
    }
  }

  private Optional<FileDiffs.Compared> files() {
    try {
      return previews.files().since(stored, before.id());
    } catch (Problem unreadable) {
      return unseen(unreadable);
    }
  }

  private static <T> Optional<T> unseen(RuntimeException why) {
    LOG.log(System.Logger.Level.WARNING, "an effect of a preview was not seen", why);
    return Optional.empty();
  }

  @Override
  public void takeBack(KernelRecord now) {
    previews.checkpoints().rollback(now, before);
  }

  @Override
  public void leaveOpen() {
    open = true;
  }

  @Override
  public void close() {
    hosts.ifPresent(EgressWatch::close);
    previews.over(record);
    // If this process is stopping, the code runs on, and whoever comes next needs it.
    if (!open && !previews.kernels().closing()) {
      previews.checkpoints().drop(record, before);
    }
  }
}
