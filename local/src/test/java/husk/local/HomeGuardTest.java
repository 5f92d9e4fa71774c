package husk.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.model.Problem;
import husk.testkit.LeakDetector;
import husk.testkit.TempHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A home that others could change is refused, wherever it is asked for.
@ExtendWith(LeakDetector.class)
final class HomeGuardTest {
  private static final int USER = Folders.user();

  private TempHome temp;

  @BeforeEach
  void makeFolders() throws IOException {
    temp = TempHome.create();
    Files.createDirectory(temp.resolve("t"));
  }

  @AfterEach
  void removeFolders() throws IOException {
    temp.close();
  }

  private Locations at(int user, Path home) {
    var environment = new HashMap<String, String>(Map.of("HOME", temp.resolve("me").toString()));
    environment.put("HUSK_HOME", home.toString());
    return Locations.of(environment, user, temp.resolve("t"));
  }

  private Path folder(String name, String mode) throws IOException {
    var folder = Files.createDirectories(temp.resolve(name));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
    return folder;
  }

  private static void refused(Locations locations, String... words) {
    assertThatThrownBy(locations::prepare)
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.code()).isEqualTo(Problem.Code.INVALID_SETTING);
              assertThat(problem.text() + problem.remedies()).contains(words);
            });
    assertThatThrownBy(locations::guard).isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwxrwx---", "rwx----w-", "rwxrwxrwx"})
  void homeThatOthersMayWriteToIsRefusedWithTheCommandThatClosesIt(String mode) throws IOException {
    var home = folder("it's open", mode);
    refused(
        at(USER, home), "other users may write", "chmod go-w '" + temp.path() + "/it'\\''s open'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rwx------", "rwxr-xr-x", "rwxr-x---"})
  void homeThatOthersMayOnlyReadIsFine(String mode) throws IOException {
    var locations = at(USER, folder("home", mode));
    locations.prepare();
    assertThat(locations.guard()).isTrue();
  }

  @Test
  void homeOfSomebodyElseIsRefusedAlsoForRoot() throws IOException {
    // Seen by another user, what we make is somebody else's.
    refused(at(USER + 1, folder("home", "rwx------")), "it belongs to user " + USER);
  }

  @Test
  void folderOnTheWayThatOthersMayWriteToIsRefused() throws IOException {
    var way = folder("way", "rwxrwxrwx");
    refused(at(USER, way.resolve("home")), "something else in its place", "chmod go-w '" + way);
    assertThat(way.resolve("home")).doesNotExist();
    folder("way/home", "rwx------");
    refused(at(USER, way.resolve("home")), "something else in its place");
  }

  @Test
  void folderOnTheWayInWhichEverybodyHasOnlyTheirOwnIsFine() throws IOException {
    var way = folder("way", "rwx------");
    Files.setAttribute(way, "unix:mode", 01777);
    at(USER, way.resolve("home")).prepare();
    assertThat(way.resolve("home")).isDirectory();
  }

  @Test
  void linkIsAsGoodAsWhatItLeadsTo() throws IOException {
    var good = folder("good", "rwx------");
    var bad = folder("bad", "rwxrwxrwx");
    at(USER, Files.createSymbolicLink(temp.resolve("to-good"), good)).prepare();
    refused(at(USER, Files.createSymbolicLink(temp.resolve("to-bad"), bad)), "may write");
    folder("bad/inner", "rwx------");
    var inner = Files.createSymbolicLink(temp.resolve("to-inner"), bad.resolve("inner"));
    refused(at(USER, inner), "something else in its place");
  }

  @Test
  void registryElsewhereNeedsASafeWayToo() throws IOException {
    var way = folder("way", "rwxrwx---");
    var environment =
        Map.of(
            "HUSK_HOME", folder("home", "rwx------").toString(),
            "HUSK_REGISTRY_PATH", way.resolve("registry.db").toString());
    refused(
        Locations.of(environment, USER, temp.resolve("t")), "registry.db", "chmod go-w '" + way);
  }
}
