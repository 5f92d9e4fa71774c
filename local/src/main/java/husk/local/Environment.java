package husk.local;

import java.util.Map;
import java.util.TreeMap;

/// Which environment variables leave the caller's process. Everything else, secrets above all,
/// stays.
public final class Environment {
  private static final String[] BOTH = {
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TERM", "TMPDIR"
  };
  private static final String[] DAEMON_ALONE = {
    "XDG_RUNTIME_DIR",
    "JAVA_HOME",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy"
  };

  /// Where Jupyter looks for kernelspecs.
  private static final String[] JUPYTER = {"JUPYTER_PATH", "JUPYTER_DATA_DIR", "XDG_DATA_HOME"};

  private Environment() {}

  /// What a started daemon inherits.
  static Map<String, String> forDaemon(Map<String, String> environment) {
    var kept = new TreeMap<String, String>();
    for (var entry : environment.entrySet()) {
      String name = entry.getKey();
      if (among(BOTH, name)
          || among(DAEMON_ALONE, name)
          || among(JUPYTER, name)
          || name.startsWith("LC_")
          || name.startsWith("PIP_")
          || setting(name)) {
        kept.put(name, entry.getValue());
      }
    }
    return kept;
  }

  /// What the daemon is told of its caller, for the kernels and settings of this one request.
  public static JsonText ofCaller(Map<String, String> environment, String cwd) {
    var ordinary = new TreeMap<String, String>();
    var settings = new TreeMap<String, String>();
    for (var entry : environment.entrySet()) {
      String name = entry.getKey();
      if (setting(name) || among(JUPYTER, name)) {
        settings.put(name, entry.getValue());
      } else if (among(BOTH, name) || name.equals("LANGUAGE") || name.startsWith("LC_")) {
        ordinary.put(name, entry.getValue());
      }
    }
    return new JsonText()
        .text("cwd", cwd)
        .strings("environment", ordinary)
        .strings("variables", settings);
  }

  private static boolean setting(String name) {
    return name.startsWith("HUSK_")
        || name.equals("OTEL_EXPORTER_OTLP_ENDPOINT")
        || name.startsWith("KERNELBOX_")
        || name.startsWith("AGENTKERNEL_");
  }

  private static boolean among(String[] names, String name) {
    for (String candidate : names) {
      if (candidate.equals(name)) {
        return true;
      }
    }
    return false;
  }
}
