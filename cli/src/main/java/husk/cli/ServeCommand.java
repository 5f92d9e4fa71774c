package husk.cli;

import husk.local.JsonText;

/// Serves over TCP until it is told to end. The daemon does the serving; this process is its owner.
final class ServeCommand implements Command {
  private static final String[] OPENED = {
    "allow-host-backend", "allow-python", "allow-private-network", "allow-publish"
  };

  @Override
  public String name() {
    return "serve";
  }

  @Override
  public String summary() {
    return "Serve kernels over HTTP: KernelBox's REST API, Jupyter's, and Husk's own";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT_OR_JSON;
  }

  @Override
  public Option[] options() {
    return new Option[] {
      Option.of("host", "HOST", "Where to listen; default 127.0.0.1, beyond it a key is needed")
          .as("H"),
      Option.of("port", "PORT", "Default 8080; 0 takes any that is free").as("p"),
      Option.of("api-key", "KEY", "A key callers must show; repeatable (a file keeps it private)")
          .repeated(),
      Option.of("api-key-file", "FILE", "A file with one key per line").completing(Option.FILES),
      Option.flag("tls", "Speak TLS with a certificate made for it"),
      Option.of("tls-cert", "FILE", "Speak TLS with this certificate, in PEM")
          .completing(Option.FILES),
      Option.of("tls-key", "FILE", "The certificate's key, in PEM").completing(Option.FILES),
      Option.of("allow-origin", "ORIGIN", "Let web pages of this origin call; repeatable")
          .repeated(),
      Option.flag("allow-host-backend", "Let callers do without a sandbox: they get your account"),
      Option.of("allow-mount", "FOLDER", "Let callers mount what is below it; repeatable")
          .repeated()
          .completing(Option.FOLDERS),
      Option.of(
              "allow-profile", "PROFILE", "Let callers ask for it, such as permissive; repeatable")
          .repeated()
          .completing("permissive moderate"),
      Option.flag("allow-python", "Let callers name any interpreter: they get your account"),
      Option.flag("allow-private-network", "Let callers' sandboxes reach addresses not public"),
      Option.flag("allow-publish", "Let callers choose the ports that they publish"),
      Option.of("max-requests", "COUNT", "Requests worked on at once; default 512"),
      Option.of("drain", "SECONDS", "How long to wait for running requests at the end; default 30"),
      Option.flag("quiet", "Print no line per request").as("q")
    };
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var body = new JsonText();
    body.text("host", arguments.find("host"));
    number(body, "port", arguments, "port");
    body.strings("api_keys", arguments.all("api-key"));
    body.text("api_key_file", arguments.find("api-key-file"));
    if (arguments.has("tls")) {
      body.flag("tls", true);
    }
    body.text("tls_cert", arguments.find("tls-cert"));
    body.text("tls_key", arguments.find("tls-key"));
    body.strings("allow_origins", arguments.all("allow-origin"));
    for (String opened : OPENED) {
      if (arguments.has(opened)) {
        body.flag(opened.replace('-', '_'), true);
      }
    }
    body.strings("allow_mounts", arguments.all("allow-mount"));
    body.strings("allow_profiles", arguments.all("allow-profile"));
    number(body, "max_requests", arguments, "max-requests");
    body.number("owner_pid", ProcessHandle.current().pid());
    var daemon = new Daemon(terminal);
    double drain = arguments.number("drain").orElse(30.0);
    return new Serving(daemon, terminal, daemon.withCaller(body), json(arguments), drain)
        .run(arguments.has("quiet"));
  }

  private static void number(JsonText body, String key, Arguments arguments, String option) {
    var given = arguments.wholeNumber(option);
    if (given.isPresent()) {
      body.number(key, given.get().longValue());
    }
  }
}
