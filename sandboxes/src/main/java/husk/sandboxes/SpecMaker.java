package husk.sandboxes;

import husk.model.Problem;
import husk.proxy.EgressPolicy;
import husk.proxy.EgressRule;
import husk.spi.Egress;
import husk.spi.Limits;
import husk.spi.Mount;
import husk.spi.Profile;
import husk.spi.SandboxSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Makes a specification of a request: the profile, then what was asked against it. What
/// contradicts itself or cannot be is refused here, before anything exists.
final class SpecMaker {
  private static final List<String> PASSED = List.of("USER", "LANG", "LC_ALL", "TERM");

  private final List<Path> ownPlaces;

  SpecMaker(List<Path> ownPlaces) {
    this.ownPlaces = ownPlaces;
  }

  SandboxSpec make(SandboxRequest request, Asker asker) {
    var backend = request.backend().orElse("bubblewrap");
    var profile = profile(request, backend);
    var spec = SandboxSpec.of(backend, profile);
    var mounts = new MountWords(asker.cwd(), ownPlaces);
    var lent = lent(request, mounts);
    var mounted = mounts(request, asker, ofCaller(profile, backend), mounts, lent);
    var guarded = new Guarded(mounted, asker.cwd());
    spec = network(spec, request);
    return spec.withMounts(joined(mounted, guarded.readOnly()))
        .lending(lent.stream().map(Mount::source).distinct().toList())
        .hiding(hidden(request, joined(mounts.hidden(mounted), guarded.hidden())))
        .withEnv(env(request, asker, profile))
        .withLimits(limits(spec, request))
        .withPorts(request.ports().stream().map(PortWords::parse).toList())
        .withCommands(request.commands())
        .temporary(request.temporarySeconds());
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).distinct().toList();
  }

  /// What of the host a request's own words ask for.
  List<Mount> lent(SandboxRequest request, Asker asker) {
    return lent(request, new MountWords(asker.cwd(), ownPlaces));
  }

  private static List<Mount> lent(SandboxRequest request, MountWords words) {
    return Stream.concat(
            request.dir().map(folder -> words.mount(folder, "/workspace", true)).stream(),
            request.mounts().stream().map(words::parse))
        .toList();
  }

  private static List<Path> hidden(SandboxRequest request, List<Path> ofHusk) {
    return Stream.concat(ofHusk.stream(), request.hidden().stream().map(Path::of))
        .distinct()
        .toList();
  }

  /// Whoever wants no walls gets none, unless walls were named too: then the backend refuses.
  private static Profile profile(SandboxRequest request, String backend) {
    return request.profile().isEmpty() && backend.equals("host")
        ? Profile.PERMISSIVE
        : Profile.orDefault(request.profile());
  }

  private static Limits limits(SandboxSpec spec, SandboxRequest request) {
    return LimitWords.apply(spec.limits(), request.limits());
  }

  private static SandboxSpec network(SandboxSpec spec, SandboxRequest request) {
    boolean wanted = request.network().orElse(spec.profile().network());
    boolean rules = !request.allow().isEmpty() || !request.deny().isEmpty();
    if (!wanted && rules) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "a sandbox without network cannot have rules for it",
          "leave out `--no-network` (or the restrictive profile), or the rules");
    }
    if (!wanted) {
      return spec.withoutNetwork();
    }
    var egress = new Egress(request.allow().isEmpty(), request.allow(), request.deny());
    policy(egress);
    return spec.withNetwork(egress);
  }

  /// The rules, understood; what is no rule is refused.
  static EgressPolicy policy(Egress egress) {
    return new EgressPolicy(
        egress.open(),
        egress.allow().stream().map(EgressRule::parse).toList(),
        egress.deny().stream().map(EgressRule::parse).toList());
  }

  private static List<Mount> mounts(
      SandboxRequest request, Asker asker, boolean ofCaller, MountWords words, List<Mount> lent) {
    var mounts = new ArrayList<>(lent);
    if (ofCaller) {
      asker
          .cwd()
          .filter(_ -> request.dir().isEmpty())
          .ifPresent(cwd -> mounts.add(words.mount(cwd.toString(), "/workspace", true)));
      asker.home().ifPresent(home -> mounts.add(words.mount(home.toString(), "/home/user", false)));
    }
    request.tools().forEach(text -> mounts.add(words.parse(text)));
    requireOnce(mounts);
    return mounts;
  }

  private static boolean ofCaller(Profile profile, String backend) {
    return profile.mountsCaller() && !backend.equals("host");
  }

  private static void requireOnce(List<Mount> mounts) {
    var targets = mounts.stream().map(Mount::target).toList();
    targets.stream()
        .filter(target -> targets.indexOf(target) != targets.lastIndexOf(target))
        .findFirst()
        .ifPresent(
            target -> {
              throw new Problem(
                  Problem.Code.INVALID_REQUEST, "two things are to be mounted at `" + target + "`");
            });
  }

  private static Map<String, String> env(SandboxRequest request, Asker asker, Profile profile) {
    var env = new TreeMap<String, String>();
    if (profile.mountsCaller()) {
      PASSED.forEach(
          name ->
              Optional.ofNullable(asker.environment().get(name))
                  .ifPresent(value -> env.put(name, value)));
    }
    request.env().forEach((name, value) -> env.put(variable(name, value), value));
    return env;
  }

  private static String variable(String name, String value) {
    if (name.isEmpty() || name.indexOf('=') >= 0 || (name + value).indexOf('\0') >= 0) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`" + name.replace('\0', '?') + "` cannot be a variable",
          "write it as NAME=VALUE");
    }
    return name;
  }
}
