package husk.api.observe;

import husk.core.Core;
import husk.core.Observer;
import husk.model.ExecutionResult;
import husk.model.KernelRecord;
import husk.model.KernelStatus;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/// What is counted and measured, for Prometheus.
public final class Metrics implements Observer {
  private static final double[] SECONDS = {
    .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60, 600
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests =
      Counter.builder()
          .name("husk_http_requests_total")
          .help("Requests over TCP, by method, route and status of the answer")
          .labelNames("method", "route", "status")
          .register(registry);
  private final Histogram requestSeconds =
      seconds("husk_http_request_duration_seconds", "How long requests took", "route");
  private final Counter executions =
      Counter.builder()
          .name("husk_executions_total")
          .help("Executions that ended, by status")
          .labelNames("status")
          .register(registry);
  private final Histogram executionSeconds =
      seconds("husk_execution_duration_seconds", "How long executions took");
  private final Histogram startSeconds =
      seconds("husk_kernel_start_duration_seconds", "How long kernels took to start");

  public Metrics(Core core) {
    core.observe(this);
    JvmMetrics.builder().register(registry);
    GaugeWithCallback.builder()
        .name("husk_kernels")
        .help("Kernels, by status")
        .labelNames("status")
        .callback(callback -> countKernels(core, callback))
        .register(registry);
  }

  private static void countKernels(Core core, GaugeWithCallback.Callback callback) {
    var counts =
        core.list().stream()
            .collect(Collectors.groupingBy(KernelRecord::status, Collectors.counting()));
    for (var status : KernelStatus.values()) {
      callback.call(counts.getOrDefault(status, 0L), status.wireName());
    }
  }

  private Histogram seconds(String name, String help, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .unit(Unit.SECONDS)
        .labelNames(labels)
        .classicOnly()
        .classicUpperBounds(SECONDS)
        .register(registry);
  }

  /// Has a value shown that somebody else keeps and that may go down.
  public void gauge(String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }

  /// Has a value shown that somebody else keeps and that only goes up.
  public void counter(String name, String help, LongSupplier value) {
    CounterWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(registry);
  }

  /// Counts an answered request.
  public void request(String method, String route, int status, long nanos) {
    requests.labelValues(method, route, Integer.toString(status)).inc();
    requestSeconds.labelValues(route).observe(nanos / 1e9);
  }

  @Override
  public void executed(ExecutionResult result) {
    executions.labelValues(result.status().wireName()).inc();
    executionSeconds.observe(result.durationMs() / 1e3);
  }

  @Override
  public void started(Duration took) {
    startSeconds.observe(took.toNanos() / 1e9);
  }

  PrometheusRegistry registry() {
    return registry;
  }
}
