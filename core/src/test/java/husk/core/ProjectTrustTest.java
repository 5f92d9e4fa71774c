package husk.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import husk.core.ProjectTrust.Standing;
import husk.core.trust.Widening;
import husk.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `husk trust` shows and remembers.
final class ProjectTrustTest {
  @TempDir Path home;
  @TempDir Path project;

  private ProjectTrust trust() {
    return new ProjectTrust(home);
  }

  private Caller caller() {
    return new Caller(
        Optional.of(project.toString()), Map.of(), Map.of("HUSK_BACKEND", "bubblewrap"));
  }

  private void write(String name, String toml) throws IOException {
    Files.writeString(project.resolve(name), toml);
  }

  private ProjectTrust.Looked look() {
    return trust().look(Optional.empty(), caller()).getFirst();
  }

  private void trustIt() {
    trust().trust("husk.toml", look().sha256(), caller());
  }

  @Test
  void everythingThatWouldBeWiderIsShownWhateverVariablesSayToday() throws IOException {
    write(
        "husk.toml",
        """
        backend = "host"
        execution-timeout = 1
        [security]
        mount_cwd = true
        network = true
        [environment]
        LD_PRELOAD = "x"
        """);
    var looked = look();
    assertThat(looked.standing()).isEqualTo(Standing.UNTRUSTED);
    assertThat(looked.opens().stream().map(Widening::key))
        .containsExactlyInAnyOrder(
            "backend", "security.mount_cwd", "security.network", "environment");
    assertThat(looked.opens().toString())
        .contains("opens the network, with `--profile restrictive`")
        .contains("with `--backend host`");
    assertThat(looked.diff()).isEmpty();
  }

  @Test
  void trustedFileThatChangesIsShownAsADiff() throws IOException {
    write("husk.toml", "backend = \"host\"\n");
    trustIt();
    assertThat(look().standing()).isEqualTo(Standing.TRUSTED);
    assertThat(look().diff()).isEmpty();
    write("husk.toml", "backend = \"host\"\nprofile = \"permissive\"\n");
    assertThat(look().standing()).isEqualTo(Standing.CHANGED);
    assertThat(look().diff()).contains("  backend = \"host\"\n+ profile = \"permissive\"\n");
  }

  @Test
  void whatChangedAfterItWasShownIsNotTrusted() throws IOException {
    write("husk.toml", "backend = \"host\"\n");
    var shown = look().sha256();
    write("husk.toml", "backend = \"host\"\nstartup-code = \"evil\"\n");
    assertThatThrownBy(() -> trust().trust("husk.toml", shown, caller()))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.code()).isEqualTo(Problem.Code.PROJECT_NOT_TRUSTED));
    assertThat(look().standing()).isEqualTo(Standing.UNTRUSTED);
  }

  @Test
  void fileThatOnlyNarrowsNeedsNoTrust() throws IOException {
    write("husk.toml", "profile = \"restrictive\"\n[security]\nnetwork = false\n");
    assertThat(look().standing()).isEqualTo(Standing.NARROW);
  }

  @Test
  void bothFilesOfAFolderAreLookedAt() throws IOException {
    write("husk.toml", "backend = \"host\"\n");
    write("agentkernel.toml", "backend = \"host\"\n[sandbox]\nbackend = \"host\"\n");
    var looked = trust().look(Optional.of("."), caller());
    assertThat(looked)
        .extracting(it -> it.path().getFileName().toString())
        .containsExactly("husk.toml", "agentkernel.toml");
    // Of the other file only tables are read.
    assertThat(looked.getLast().opens().stream().map(Widening::key))
        .containsExactly("sandbox.backend");
  }

  @Test
  void fileOfAnotherNameCanBeTrusted() throws IOException {
    write("dev.toml", "[security]\nprofile = \"permissive\"\n");
    var looked = trust().look(Optional.of("dev.toml"), caller()).getFirst();
    trust().trust("dev.toml", looked.sha256(), caller());
    assertThat(trust().look(Optional.of("dev.toml"), caller()).getFirst().standing())
        .isEqualTo(Standing.TRUSTED);
  }

  @Test
  void whatIsTrustedIsListedAndCanBeTakenBackAlsoWhenItIsGone() throws IOException {
    write("husk.toml", "backend = \"host\"\n");
    trustIt();
    assertThat(trust().list().values()).containsExactly("trusted");
    write("husk.toml", "backend = \"host\" \n");
    assertThat(trust().list().values()).containsExactly("changed");
    Files.delete(project.resolve("husk.toml"));
    assertThat(trust().list().values()).containsExactly("gone");
    var location = project.toRealPath().resolve("husk.toml");
    assertThat(trust().untrust(Optional.empty(), caller())).isEqualTo(List.of(location));
    assertThat(trust().untrust(Optional.empty(), caller())).isEmpty();
    assertThat(trust().list()).isEmpty();
  }

  @Test
  void folderWithoutSuchAFileIsSaid() {
    assertThatThrownBy(() -> trust().look(Optional.empty(), caller()))
        .hasMessageContaining("there is no project's file");
  }
}
