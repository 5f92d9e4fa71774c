package husk.api.docs;

import static husk.api.form.Schema.any;
import static husk.api.form.Schema.instant;
import static husk.api.form.Schema.integer;
import static husk.api.form.Schema.mapOf;
import static husk.api.form.Schema.object;
import static husk.api.form.Schema.orNull;
import static husk.api.form.Schema.ordered;
import static husk.api.form.Schema.ref;
import static husk.api.form.Schema.string;

import java.util.Map;

/// What Jupyter's API takes and answers.
final class JupyterSchemas {
  private JupyterSchemas() {}

  static Map<String, Object> all() {
    return ordered(
        "JupyterVersion", object("version", string(), "server", string()),
        "JupyterStatus",
            object(
                "started", instant(),
                "last_activity", instant(),
                "connections", integer(),
                "kernels", integer()),
        "JupyterKernelSpec",
            object("name", string(), "spec", mapOf(any()), "resources", mapOf(string())),
        "JupyterKernelSpecs",
            object("default", string(), "kernelspecs", mapOf(ref("JupyterKernelSpec"))),
        "JupyterKernel",
            object(
                "id", string(),
                "name", string(),
                "last_activity", instant(),
                "execution_state", string(),
                "connections", integer()),
        "JupyterKernelRequest",
            object("name?", orNull(string()), "path?", orNull(string()), "env?", mapOf(string())),
        "JupyterSession",
            object(
                "id", string(),
                "path", string(),
                "name", orNull(string()),
                "type", string(),
                "kernel", orNull(ref("JupyterKernel")),
                "notebook?", mapOf(any())),
        "JupyterSessionRequest",
            object(
                "path?", string(),
                "name?", orNull(string()),
                "type?", string(),
                "kernel?", orNull(object("id?", orNull(string()), "name?", orNull(string())))),
        "JupyterError",
            object(
                "message", string(),
                "reason", string(),
                "detail", string(),
                "error", ref("ProblemInfo")));
  }
}
