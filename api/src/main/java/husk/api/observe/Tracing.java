package husk.api.observe;

import husk.api.Routes;
import husk.model.ExecutionResult;
import husk.model.Problem;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Spans of requests and of the executions in them, sent to a collector if there is one. A caller's
/// own trace (`traceparent`) is continued.
public final class Tracing implements AutoCloseable {
  private static final TextMapGetter<Headers> HEADERS = new HeaderGetter();

  private final Tracer tracer;
  private final Runnable end;

  private Tracing(Tracer tracer, Runnable end) {
    this.tracer = tracer;
    this.end = end;
  }

  /// Traces to a collector, or to nobody.
  ///
  /// @param endpoint of a collector that takes OTLP over HTTP
  public static Tracing to(Optional<String> endpoint, String version) {
    return endpoint
        .map(address -> exporting(address, version))
        .orElseGet(() -> new Tracing(TracerProvider.noop().get("husk"), () -> {}));
  }

  private static Tracing exporting(String endpoint, String version) {
    var address =
        endpoint.endsWith("/v1/traces") ? endpoint : endpoint.replaceAll("/+$", "") + "/v1/traces";
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(address).build();
    var provider =
        SdkTracerProvider.builder()
            .setResource(
                Resource.getDefault()
                    .merge(
                        Resource.create(
                            Attributes.of(
                                AttributeKey.stringKey("service.name"),
                                "husk",
                                AttributeKey.stringKey("service.version"),
                                version))))
            .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
            .build();
    return new Tracing(provider.get("husk"), provider::close);
  }

  /// Handles a request within a span of its own.
  public void server(ServerRequest request, ServerResponse response, Runnable handling) {
    var parent =
        W3CTraceContextPropagator.getInstance().extract(Context.root(), request.headers(), HEADERS);
    var span =
        tracer
            .spanBuilder(request.prologue().method().text())
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .startSpan();
    request.context().register(this);
    request.context().register(Context.root().with(span));
    try {
      handling.run();
    } finally {
      describe(span, request, response.status().code());
      span.end();
    }
  }

  private static void describe(Span span, ServerRequest request, int status) {
    var method = request.prologue().method().text();
    var route = Routes.template(request);
    span.updateName(method + " " + route);
    span.setAttribute("http.request.method", method);
    span.setAttribute("http.route", route);
    span.setAttribute("url.path", request.path().absolute().rawPath());
    span.setAttribute("http.response.status_code", status);
    if (status >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
  }

  /// Executes within a span inside the request's.
  public static ExecutionResult execution(
      ServerRequest request, String kernel, Supplier<ExecutionResult> execution) {
    var tracing = request.context().get(Tracing.class);
    if (tracing.isEmpty()) {
      return execution.get();
    }
    var parent = request.context().get(Context.class).orElseGet(Context::root);
    var span = tracing.get().tracer.spanBuilder("execute").setParent(parent).startSpan();
    span.setAttribute("husk.kernel", kernel);
    try {
      var result = execution.get();
      span.setAttribute("husk.execution_id", result.executionId());
      span.setAttribute("husk.status", result.status().wireName());
      return result;
    } catch (Problem problem) {
      span.setStatus(StatusCode.ERROR, problem.code().wireName());
      throw problem;
    } finally {
      span.end();
    }
  }

  @Override
  public void close() {
    end.run();
  }

  private static final class HeaderGetter implements TextMapGetter<Headers> {
    @Override
    public Iterable<String> keys(Headers headers) {
      return headers.stream().map(header -> header.headerName().lowerCase()).toList();
    }

    @Override
    public @Nullable String get(@Nullable Headers headers, String key) {
      return headers == null ? null : headers.first(HeaderNames.create(key)).orElse(null);
    }
  }
}
