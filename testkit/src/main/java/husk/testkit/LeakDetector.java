package husk.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test that leaves something behind: a process, a file in `/tmp`, a Unix socket, a cgroup.
///
/// `@ExtendWith(LeakDetector.class)` on the class. It looks after `@AfterEach` methods, which is
/// where a test closes what it opened; fields marked `@AutoClose` are closed too late for it. What
/// is there before the test, such as a fixture of the whole class, does not count.
///
/// A daemon leaves the family tree of its starter; it is found if the test gave it [#marker] in the
/// variable [#VARIABLE], which its children inherit.
public final class LeakDetector implements BeforeEachCallback, AfterEachCallback {

  /// The environment variable that says which JVM's tests a process belongs to.
  public static final String VARIABLE = "HUSK_TEST";

  private static final String MARKER =
      UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT);

  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakDetector.class);

  private final Duration patience;

  public LeakDetector() {
    this(Duration.ofSeconds(10));
  }

  LeakDetector(Duration patience) {
    this.patience = patience;
  }

  /// The value of [#VARIABLE] for processes that tests of this JVM start.
  public static String marker() {
    return MARKER;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(Traces.class, Traces.now());
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var before = context.getStore(NAMESPACE).get(Traces.class, Traces.class);
    if (before != null) {
      check(before);
    }
  }

  /// Waits for what is on its way out, and reports what stays.
  private void check(Traces before) {
    Eventually.until(
        patience,
        () -> left(before).isEmpty(),
        () -> "the test left behind:\n  " + String.join("\n  ", left(before)));
  }

  private static List<String> left(Traces before) {
    return Traces.now().since(before);
  }
}
