package husk.cli;

import husk.local.JsonParts;
import husk.local.JsonPeek;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A listener of the daemon, kept open by this process: opened again should the daemon be lost,
/// closed, after the requests that run, when this process is told to end.
final class Serving {
  private static final int PAUSE = 200;

  /// How lines begin that tell of no request, but of trouble with all of them.
  private static final String NOTICE = "husk: ";

  private final Daemon daemon;
  private final Terminal terminal;
  private final byte[] request;
  private final boolean json;
  private final double drain;
  private volatile String listener = "";
  private volatile boolean ending;

  Serving(Daemon daemon, Terminal terminal, byte[] request, boolean json, double drain) {
    this.daemon = daemon;
    this.terminal = terminal;
    this.request = request;
    this.json = json;
    this.drain = drain;
  }

  int run(boolean quiet) {
    var opened = daemon.call("POST", "/listeners", json ? Daemon.JSON : Daemon.TEXT, request);
    if (opened.answer().failed()) {
      return daemon.show(opened, json);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close-listener"));
    announce(opened.text());
    while (true) {
      boolean closed = follow(quiet);
      if (ending) {
        return ExitCodes.SUCCESS;
      }
      if (closed) {
        terminal.printError("the daemon has stopped serving\n");
        return ExitCodes.SUCCESS;
      }
      Pause.milliseconds(PAUSE);
      reopen();
    }
  }

  private void announce(String description) {
    listener = JsonPeek.at(description, "id").orElse("");
    if (json) {
      terminal.print(description);
      return;
    }
    var url = JsonPeek.at(description, "url").orElse("");
    terminal.print("serving " + url + " (docs at " + url + "/docs); Ctrl-C ends it\n");
    for (String opened :
        JsonParts.strings(JsonParts.fields(description).getOrDefault("opened", "[]"))) {
      terminal.print("open to callers: --" + Printable.line(opened) + "\n");
    }
    var fingerprint = JsonPeek.at(description, "tls_fingerprint");
    if (fingerprint.isPresent()) {
      terminal.print("TLS certificate, SHA-256: " + fingerprint.get() + "\n");
    }
  }

  /// Prints the access log until the listener is closed, which is true, or the daemon is lost.
  private boolean follow(boolean quiet) {
    var connection = daemon.door().connect();
    if (connection.isEmpty()) {
      return false;
    }
    try (var open = connection.get()) {
      var target = "/listeners/" + listener + "/log";
      var answer = open.request("GET", target, Map.of("Accept", Daemon.TEXT));
      if (answer.failed()) {
        return false;
      }
      var lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(NOTICE) || (!quiet && !line.isEmpty())) {
          terminal.printError(line + "\n");
        }
      }
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// The port may still be held for a moment by the daemon that was lost.
  private void reopen() {
    var opened = daemon.call("POST", "/listeners", Daemon.JSON, request);
    if (opened.answer().failed()) {
      Problems.show(Problems.read(opened.text()), json, terminal);
      return;
    }
    listener = JsonPeek.at(opened.text(), "id").orElse("");
    terminal.printError("the daemon was lost; another one serves now\n");
  }

  private void close() {
    ending = true;
    var connection = daemon.door().connect();
    if (connection.isEmpty()) {
      return;
    }
    try {
      Daemon.exchange(
          connection.get(),
          "DELETE",
          "/listeners/" + listener + "?drain=" + drain,
          Daemon.JSON,
          new byte[0]);
    } catch (IOException _) {
      // the daemon is gone, and the listener with it
    }
  }
}
