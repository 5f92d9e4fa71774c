package husk.api.jupyter;

import husk.model.KernelRecord;
import husk.wire.Json;
import java.util.LinkedHashMap;
import java.util.Map;

/// What Jupyter calls a session: a notebook, a console or the like, and the kernel it runs on. It
/// is kept as a label of its kernel, so that it lives as long as that.
record JupyterSession(String id, String path, String name, String type) {
  static final String TAG = "jupyter.session.";

  String tag() {
    return TAG + id;
  }

  String json() {
    return Json.text(this);
  }

  static JupyterSession of(String json) {
    return Json.read(json, JupyterSession.class);
  }

  /// As clients see it.
  Map<String, Object> model(KernelModel kernel) {
    var model = new LinkedHashMap<String, Object>();
    model.put("id", id);
    model.put("path", path);
    model.put("name", name);
    model.put("type", type);
    model.put("kernel", kernel);
    if (type.equals("notebook")) {
      model.put("notebook", Map.of("path", path, "name", name));
    }
    return model;
  }

  /// A session and the kernel it runs on.
  record On(JupyterSession session, KernelRecord kernel) {}
}
