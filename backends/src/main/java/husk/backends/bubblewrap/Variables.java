package husk.backends.bubblewrap;

import husk.spi.SandboxSpec;
import java.util.Map;
import java.util.TreeMap;

/// The environment of everything that runs inside: nothing of the host's, what programs expect, and
/// where the proxy is, in every spelling that programs look for.
final class Variables {
  static final int HTTP_PORT = 3128;
  static final int SOCKS_PORT = 1080;

  private static final String NOT_PROXIED = "localhost,127.0.0.1,::1";

  private Variables() {}

  static Map<String, String> of(SandboxSpec spec) {
    var variables = new TreeMap<String, String>();
    variables.put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin");
    variables.put("HOME", Walls.HOME);
    variables.put("USER", "husk");
    variables.put("LOGNAME", "husk");
    variables.put("SHELL", "/bin/sh");
    variables.put("LANG", "C.UTF-8");
    variables.put("TMPDIR", "/tmp");
    variables.put("HUSK_SANDBOX", "1");
    if (spec.network()) {
      proxies(variables);
    }
    variables.putAll(spec.env());
    return variables;
  }

  private static void proxies(Map<String, String> variables) {
    var http = "http://127.0.0.1:" + HTTP_PORT;
    var socks = "socks5h://127.0.0.1:" + SOCKS_PORT;
    for (var name : new String[] {"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"}) {
      variables.put(name, http);
    }
    for (var name : new String[] {"ALL_PROXY", "all_proxy"}) {
      variables.put(name, socks);
    }
    for (var name : new String[] {"NO_PROXY", "no_proxy"}) {
      variables.put(name, NOT_PROXIED);
    }
    variables.put("npm_config_proxy", http);
    variables.put("npm_config_https_proxy", http);
    variables.put("NODE_USE_ENV_PROXY", "1");
    variables.put("JAVA_TOOL_OPTIONS", java());
  }

  private static String java() {
    var options = new StringBuilder();
    for (var scheme : new String[] {"http", "https"}) {
      options.append("-D").append(scheme).append(".proxyHost=127.0.0.1 ");
      options.append("-D").append(scheme).append(".proxyPort=").append(HTTP_PORT).append(' ');
    }
    return options.append("-Dhttp.nonProxyHosts=localhost|127.*|[::1]").toString();
  }
}
