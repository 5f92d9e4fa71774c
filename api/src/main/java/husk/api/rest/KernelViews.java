package husk.api.rest;

import husk.api.Answers;
import husk.api.Requests;
import husk.api.Texts;
import husk.core.Service;
import husk.model.KernelRecord;
import husk.model.Problem;
import husk.wire.Json;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Answers about kernels, for whoever knows them by id or as sessions.
final class KernelViews {
  private static final List<String> HEADER =
      List.of("NAME", "STATUS", "PID", "KERNEL", "MEMORY", "AGE", "ID");

  private final Service core;

  KernelViews(Service core) {
    this.core = core;
  }

  /// The view of a kernel, with where it came from.
  KernelView of(KernelRecord record) {
    return KernelView.of(record, origin(record));
  }

  /// None of a kernel that is being destroyed: nobody knows any more how it was made.
  private Optional<String> origin(KernelRecord record) {
    try {
      return core.forkedFrom(record);
    } catch (Problem gone) {
      return Optional.empty();
    }
  }

  /// A table for people, with forks below the kernels they came from.
  String tree(List<KernelRecord> records) {
    return Texts.table(HEADER, new KernelTree(records.stream().map(this::of).toList()).rows());
  }

  /// All of `records`, refreshed if the caller wants it.
  ///
  /// @param property under which they stand
  void list(
      ServerRequest request, ServerResponse response, String property, List<KernelRecord> records) {
    boolean refresh = Requests.flag(request, Parameters.REFRESH);
    var views = records.stream().map(this::of).toList();
    Answers.either(
        request,
        response,
        Map.of(property, refresh ? records.stream().map(this::withHeartbeat).toList() : views),
        Texts.table(HEADER, views.stream().map(KernelView::row).toList()));
  }

  /// The view, and whether the kernel reacts to its heartbeat.
  private Map<String, Object> withHeartbeat(KernelRecord record) {
    var view = Json.map(Json.MAPPER.valueToTree(of(record)));
    view.put("responsive", core.responds(record));
    return view;
  }

  void status(ServerRequest request, ServerResponse response, KernelRecord record) {
    boolean alive = record.status().alive();
    response.header(Answers.ALIVE, Boolean.toString(alive));
    if (Answers.accept(request).contains("field=connection_file")) {
      Answers.text(response, record.connectionFile() + "\n");
      return;
    }
    var answer = new LinkedHashMap<String, Object>();
    answer.put("alive", alive);
    answer.put("responsive", core.responds(record));
    answer.put("kernel", of(record));
    Answers.either(request, response, answer, Texts.table(HEADER, List.of(of(record).row())));
  }
}
