package husk.api.listen;

import husk.api.ClientBody;
import husk.core.Caller;
import husk.core.Core;
import husk.core.Opened;
import husk.core.ServeSettings;
import husk.kernels.ProcFs;
import husk.model.KernelProcess;
import husk.model.Problem;
import husk.spi.Profile;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Turns what was asked, and the settings in force, into a listener's specification, or refuses it.
final class ListenerRequests {
  /// `null` is what browsers call pages that anybody can make.
  private static final Set<String> ANYBODY = Set.of("*", "null");

  private final Core core;

  ListenerRequests(Core core) {
    this.core = core;
  }

  /// What a caller may say; what it leaves out is up to the settings.
  record Body(
      Optional<String> host,
      Optional<Integer> port,
      List<String> apiKeys,
      Optional<String> apiKeyFile,
      Optional<Boolean> tls,
      Optional<String> tlsCert,
      Optional<String> tlsKey,
      List<String> allowOrigins,
      boolean allowHostBackend,
      List<String> allowMounts,
      List<String> allowProfiles,
      boolean allowPython,
      boolean allowPrivateNetwork,
      boolean allowPublish,
      Optional<Integer> maxRequests,
      Optional<Long> ownerPid,
      Optional<ClientBody> client) {}

  ListenerSpec spec(Body body) {
    var caller = body.client().map(ClientBody::caller).orElse(Caller.UNKNOWN);
    var settings = core.settings(caller).serving();
    var host = body.host().orElse(settings.host());
    var address = resolve(host);
    var keys = keys(body, settings, caller);
    if (keys.none() && !address.isLoopbackAddress()) {
      throw unprotected(host);
    }
    var origins = body.allowOrigins().isEmpty() ? settings.allowOrigins() : body.allowOrigins();
    if (keys.none()) {
      origins.stream().filter(ANYBODY::contains).findFirst().ifPresent(ListenerRequests::refuse);
    }
    return new ListenerSpec(
        host,
        address,
        body.port().map(ListenerRequests::port).orElse(settings.port()),
        keys,
        tls(body, settings, caller, host, address),
        origins,
        opened(body, settings, caller),
        body.maxRequests().map(ListenerRequests::mostRequests).orElse(settings.maxRequests()),
        body.ownerPid().map(ListenerRequests::owner),
        settings.otlpEndpoint(),
        caller);
  }

  private static int port(int port) {
    if (port < 0 || port > 65535) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`port` is " + port + ", and no port has that number",
          "choose one between 1 and 65535, or 0 for any that is free");
    }
    return port;
  }

  private static int mostRequests(int number) {
    if (number < 1) {
      throw new Problem(
          Problem.Code.INVALID_REQUEST,
          "`max-requests` is " + number + ", which would let nobody in",
          "choose 1 or more");
    }
    return number;
  }

  private static void refuse(String origin) {
    throw new Problem(
        Problem.Code.FORBIDDEN,
        "`allow-origin` is `" + origin + "`, which is any web page, and there is no API key",
        "name the origins that may call, such as `--allow-origin https://lab.example`",
        "or give a key with `--api-key-file FILE`, HUSK_API_KEY or `--api-key KEY`");
  }

  /// What is given opens more than the settings do, never less.
  private static Opened opened(Body body, ServeSettings settings, Caller caller) {
    var mounts = body.allowMounts().isEmpty() ? settings.allowMounts() : body.allowMounts();
    var profiles = body.allowProfiles().isEmpty() ? settings.allowProfiles() : body.allowProfiles();
    return new Opened(
        body.allowHostBackend() || settings.allowHostBackend(),
        mounts.stream().map(folder -> folder(folder, caller)).toList(),
        profiles.stream().map(Profile::of).collect(Collectors.toUnmodifiableSet()),
        body.allowPython() || settings.allowPython(),
        body.allowPrivateNetwork() || settings.allowPrivateNetwork(),
        body.allowPublish() || settings.allowPublish());
  }

  private static Path folder(String name, Caller caller) {
    var folder = path(name, caller).normalize();
    if (name.isBlank() || !Files.isDirectory(folder)) {
      throw new Problem(
          Problem.Code.INVALID_SETTING,
          "`allow-mount` names `" + name + "`, which is no folder",
          "make it first, or name another");
    }
    return folder;
  }

  private static Problem unprotected(String host) {
    return new Problem(
        Problem.Code.FORBIDDEN,
        "`" + host + "` can be reached from other machines, and there is no API key",
        "give one with `--api-key-file FILE`, HUSK_API_KEY or `--api-key KEY`",
        "or serve on 127.0.0.1");
  }

  private static InetAddress resolve(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new Problem(
              Problem.Code.ADDRESS_UNAVAILABLE,
              "the host `" + host + "` cannot be resolved",
              "use an address of this machine, such as 127.0.0.1 or 0.0.0.0")
          .causedBy(e);
    }
  }

  /// Keys that were given beat those of the settings.
  private static ApiKeys keys(Body body, ServeSettings settings, Caller caller) {
    boolean given = !body.apiKeys().isEmpty() || body.apiKeyFile().isPresent();
    var keys = new ArrayList<>(given ? body.apiKeys() : settings.apiKeys());
    if (keys.stream().anyMatch(key -> key.isBlank())) {
      throw new Problem(Problem.Code.INVALID_SETTING, "an API key is empty");
    }
    var file = given ? body.apiKeyFile() : settings.apiKeyFile();
    return ApiKeys.of(keys, file.map(name -> path(name, caller)));
  }

  private Optional<TlsIdentity> tls(
      Body body, ServeSettings settings, Caller caller, String host, InetAddress address) {
    var certificate = body.tlsCert().or(settings::tlsCert);
    var key = body.tlsKey().or(settings::tlsKey);
    if (certificate.isPresent() != key.isPresent()) {
      throw new Problem(
          Problem.Code.INVALID_SETTING, "`tls-cert` and `tls-key` are of use only together");
    }
    if (certificate.isPresent()) {
      return Optional.of(
          PemIdentity.read(path(certificate.get(), caller), path(key.orElseThrow(), caller)));
    }
    return body.tls().orElse(settings.tls())
        ? Optional.of(MadeIdentity.of(core.places().home(), host, address.getHostAddress()))
        : Optional.empty();
  }

  private static Path path(String name, Caller caller) {
    return Path.of(caller.cwd().orElse("/")).resolve(name);
  }

  private static KernelProcess owner(long pid) {
    return ProcFs.stat(pid)
        .map(stat -> new KernelProcess(pid, stat.startTime()))
        .orElseThrow(
            () ->
                new Problem(
                    Problem.Code.INVALID_REQUEST, "there is no process " + pid + " to serve for"));
  }
}
