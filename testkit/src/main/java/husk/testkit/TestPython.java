package husk.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The Python that tests start kernels with.
public final class TestPython {
  private TestPython() {}

  private static final String VARIABLE = "HUSK_TEST_PYTHON";

  /// Looked for once, because asking an interpreter costs half a second.
  private static final class Found {
    static final Optional<Path> PYTHON = first(candidates());
  }

  /// Whether there is one, for what is of no use without.
  static boolean isHere() {
    return Found.PYTHON.isPresent();
  }

  /// An interpreter that has IPython and zmq; otherwise the test is skipped, or fails if strict.
  public static Path find() {
    Requirements.need(
        Found.PYTHON.isPresent(), "a Python with IPython and pyzmq; tried " + candidates());
    return Found.PYTHON.orElseThrow();
  }

  /// One named in the environment is the only one tried: a mistake in it is not to go unnoticed.
  private static List<Path> candidates() {
    var named = System.getenv(VARIABLE);
    if (named != null && !named.isEmpty()) {
      return List.of(Path.of(named));
    }
    var ofProject =
        Stream.ofNullable(System.getProperty("husk.root"))
            .map(root -> Path.of(root, ".check/python/bin/python"));
    var onPath =
        Pattern.compile(":")
            .splitAsStream(Optional.ofNullable(System.getenv("PATH")).orElse(""))
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, "python3"));
    return Stream.of(ofProject, Stream.of(Path.of("/usr/bin/python3")), onPath)
        .flatMap(paths -> paths)
        .distinct()
        .filter(Files::isExecutable)
        .toList();
  }

  static Optional<Path> first(List<Path> candidates) {
    return candidates.stream().filter(TestPython::canServe).findFirst();
  }

  private static boolean canServe(Path python) {
    try {
      var process =
          new ProcessBuilder(python.toString(), "-c", "import IPython, zmq")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return false;
      }
      return process.exitValue() == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted while asking " + python, e));
    }
  }
}
