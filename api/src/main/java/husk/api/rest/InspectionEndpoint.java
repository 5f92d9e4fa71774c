package husk.api.rest;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import husk.api.Texts;
import husk.core.Core;
import husk.core.Doctor;
import husk.core.SettingKey;
import husk.core.trust.Widening;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `/config/show` and `/doctor`: what is in force and what is missing.
public final class InspectionEndpoint implements Endpoint {
  private final Core core;

  public InspectionEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules.post("/config/show", this::config).post("/doctor", this::doctor);
  }

  private void config(ServerRequest request, ServerResponse response) {
    var caller = Answers.body(request, Bodies.AnyBody.class).caller();
    var resolved = core.settings(caller);
    var untrusted = resolved.untrusted();
    if (untrusted.isEmpty()) {
      resolved.settings();
    }
    var values = resolved.all();
    var rows = new ArrayList<List<String>>();
    var settings = new ArrayList<Map<String, Object>>();
    for (var key : SettingKey.values()) {
      var value = values.get(key);
      if (value != null) {
        var shown = key.secret() && !value.value().isEmpty() ? "…" : value.value();
        rows.add(List.of(key.fileName(), shown, value.source(), key.meaning()));
        var setting = new LinkedHashMap<String, Object>();
        setting.put("key", key.fileName());
        setting.put("value", shown);
        setting.put("source", value.source());
        setting.put("variables", key.variables());
        setting.put("meaning", key.meaning());
        settings.add(setting);
      }
    }
    var table = Texts.table(List.of("KEY", "VALUE", "SOURCE", "MEANING"), rows);
    Answers.either(
        request,
        response,
        Map.of("settings", settings, "untrusted", untrusted),
        table + withheld(untrusted));
  }

  /// What a project's file says and nobody has allowed; until then nothing is run there.
  private static String withheld(List<Widening> untrusted) {
    var text = new StringBuilder();
    untrusted.forEach(
        one -> text.append("not trusted, see `husk trust`: ").append(one).append('\n'));
    return text.isEmpty() ? "" : "\n" + text;
  }

  private void doctor(ServerRequest request, ServerResponse response) {
    var checks = Doctor.examine(core, Answers.body(request, Bodies.AnyBody.class).caller());
    var text = new StringBuilder();
    for (var check : checks) {
      text.append(check.ok() ? "ok    " : "MISSING  ").append(check.name()).append(": ");
      text.append(check.detail()).append('\n');
      if (!check.ok()) {
        text.append("      hint: ").append(check.remedy()).append('\n');
      }
    }
    boolean healthy = checks.stream().allMatch(Doctor.Check::ok);
    response.header(Answers.STATUS, healthy ? "success" : "error");
    Answers.either(
        request, response, Map.of("healthy", healthy, "checks", checks), text.toString());
  }
}
