package husk.core;

import husk.core.trust.LineDiff;
import husk.core.trust.ProjectText;
import husk.core.trust.TrustStore;
import husk.core.trust.Trusted;
import husk.core.trust.Widening;
import husk.model.Problem;
import husk.sandboxes.SandboxRequest;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// What a user is shown before a project's file may open anything, and what was decided.
public final class ProjectTrust {
  /// In what a file may be wider: by itself, and where its user asks for more or less than usual.
  private static final Map<String, SandboxRequest> SITUATIONS = situations();

  private final SettingsResolver resolver;
  private final TrustStore store;

  /// @param home where Husk keeps what lasts
  public ProjectTrust(Path home) {
    this.resolver = new SettingsResolver(home);
    this.store = new TrustStore(home);
  }

  /// How a file stands with its user.
  public enum Standing {
    /// It opens nothing.
    NARROW,
    TRUSTED,
    /// Another content of it was trusted.
    CHANGED,
    UNTRUSTED
  }

  /// A file as it is now.
  ///
  /// @param path where it is remembered
  /// @param sha256 of the content that was looked at, by which it is trusted
  /// @param opens what would be wider with it than without
  /// @param diff to the content that was trusted, if that was another
  public record Looked(
      Path path, String sha256, Standing standing, List<Widening> opens, Optional<String> diff) {}

  private static Map<String, SandboxRequest> situations() {
    var all = new LinkedHashMap<String, SandboxRequest>();
    var plain = SandboxRequest.named("any");
    all.put("", plain);
    all.put(", with `--profile restrictive`", plain.under("restrictive"));
    all.put(", with `--backend host`", plain.on(KernelHomes.HOST));
    return all;
  }

  /// The file at a path, or those in a folder: the caller's own if none is named.
  public List<Looked> look(Optional<String> path, Caller caller) {
    var files = files(path, caller).stream().flatMap(file -> ProjectText.find(file).stream());
    var looked = files.map(this::look).toList();
    if (looked.isEmpty()) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "there is no project's file at `" + target(path, caller) + "`",
          "name a `husk.toml`, an `agentkernel.toml`, or the folder of one");
    }
    return looked;
  }

  private Looked look(ProjectText file) {
    var opens = widenings(file);
    var former = store.find(file.location());
    boolean same = store.accepts(file);
    var standing =
        opens.isEmpty()
            ? Standing.NARROW
            : same ? Standing.TRUSTED : former.isPresent() ? Standing.CHANGED : Standing.UNTRUSTED;
    return new Looked(
        file.location(),
        file.sha256(),
        standing,
        opens,
        former.filter(_ -> !same).map(then -> LineDiff.of(then.text(), file.text())));
  }

  /// Whatever variables say today, trust is for every day: they are not counted.
  private List<Widening> widenings(ProjectText file) {
    var all = new LinkedHashMap<String, Widening>();
    if (file.location().endsWith("husk.toml")) {
      resolver
          .widenings(file, Caller.UNKNOWN)
          .forEach(one -> all.put(one.key() + one.value(), one));
    }
    var tables = ProjectFile.of(file);
    SITUATIONS.forEach(
        (when, asked) ->
            tables
                .widenings(asked)
                .forEach(
                    one ->
                        all.putIfAbsent(
                            one.key() + one.value(),
                            new Widening(one.key(), one.value(), one.opens() + when))));
    return List.copyOf(all.values());
  }

  /// Trusts the content that was looked at; one that has changed since is refused.
  public Looked trust(String path, String sha256, Caller caller) {
    var file = ProjectText.require(target(Optional.of(path), caller));
    if (!file.sha256().equals(sha256)) {
      throw new Problem(
          Problem.Code.PROJECT_NOT_TRUSTED,
          "`" + file.location() + "` has changed since you looked at it",
          "look again: `husk trust " + file.location() + "`");
    }
    store.trust(file);
    return look(file);
  }

  /// The files that are no longer trusted now.
  public List<Path> untrust(Optional<String> path, Caller caller) {
    var given = target(path, caller);
    return Stream.concat(Stream.of(given), ProjectText.NAMES.stream().map(given::resolve))
        .map(ProjectText::location)
        .filter(store::forget)
        .toList();
  }

  /// Everything that is trusted, and whether it still counts.
  public Map<Trusted, String> list() {
    var all = new LinkedHashMap<Trusted, String>();
    store.all().forEach(trusted -> all.put(trusted, state(trusted)));
    return all;
  }

  private String state(Trusted trusted) {
    try {
      return ProjectText.find(trusted.location())
          .map(file -> store.accepts(file) ? "trusted" : "changed")
          .orElse("gone");
    } catch (Problem unreadable) {
      return "unreadable";
    }
  }

  private static List<Path> files(Optional<String> path, Caller caller) {
    var given = target(path, caller);
    if (!Files.isDirectory(given)) {
      return List.of(given);
    }
    var files = new ArrayList<Path>();
    ProjectText.NAMES.forEach(name -> files.add(given.resolve(name)));
    return files;
  }

  private static Path target(Optional<String> path, Caller caller) {
    try {
      return Path.of(caller.cwd().orElse("/")).resolve(path.orElse("."));
    } catch (InvalidPathException e) {
      throw new Problem(Problem.Code.INVALID_REQUEST, "`" + path.orElse("") + "` is not a path")
          .causedBy(e);
    }
  }
}
