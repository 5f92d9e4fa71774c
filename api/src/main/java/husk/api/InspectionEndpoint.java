package husk.api;

import husk.core.Core;
import husk.core.Doctor;
import husk.core.SettingKey;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// `/config/show`, `/doctor` and `/kernelspecs`: what is in force and what is there.
final class InspectionEndpoint implements Endpoint {
  private final Core core;

  InspectionEndpoint(Core core) {
    this.core = core;
  }

  @Override
  public void register(Routes rules) {
    rules
        .post("/config/show", this::config)
        .post("/doctor", this::doctor)
        .get("/kernelspecs", this::kernelSpecs);
  }

  private void config(ServerRequest request, ServerResponse response) {
    var caller = Answers.body(request, Bodies.AnyBody.class).caller();
    var resolved = core.settings(caller);
    resolved.settings();
    var values = resolved.all();
    var rows = new ArrayList<List<String>>();
    var settings = new ArrayList<Map<String, Object>>();
    for (var key : SettingKey.values()) {
      var value = values.get(key);
      if (value != null) {
        rows.add(List.of(key.fileName(), value.value(), value.source(), key.meaning()));
        var setting = new LinkedHashMap<String, Object>();
        setting.put("key", key.fileName());
        setting.put("value", value.value());
        setting.put("source", value.source());
        setting.put("variables", key.variables());
        setting.put("meaning", key.meaning());
        settings.add(setting);
      }
    }
    Answers.either(
        request,
        response,
        Map.of("settings", settings),
        Texts.table(List.of("KEY", "VALUE", "SOURCE", "MEANING"), rows));
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

  private void kernelSpecs(ServerRequest request, ServerResponse response) {
    var specs = core.kernelSpecs(husk.core.Caller.self());
    var rows = new ArrayList<List<String>>();
    rows.add(List.of("husk", "python", "Husk's own Python kernel", "-"));
    specs
        .values()
        .forEach(
            spec ->
                rows.add(
                    List.of(
                        spec.name(),
                        spec.language(),
                        spec.displayName(),
                        spec.resources().toString())));
    Answers.either(
        request,
        response,
        Map.of("kernelspecs", specs),
        Texts.table(List.of("NAME", "LANGUAGE", "WHAT", "WHERE"), rows));
  }
}
