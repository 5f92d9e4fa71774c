package husk.api.observe;

import husk.api.Answers;
import husk.api.Endpoint;
import husk.api.Routes;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// `/metrics`, in Prometheus' text format or, if asked for, as OpenMetrics.
public final class MetricsEndpoint implements Endpoint {
  private final Metrics metrics;
  private final ExpositionFormats formats = ExpositionFormats.init();

  public MetricsEndpoint(Metrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public void register(Routes routes) {
    routes.get("/metrics", this::metrics);
  }

  private void metrics(ServerRequest request, ServerResponse response) throws IOException {
    var writer = formats.findWriter(Answers.accept(request));
    var bytes = new ByteArrayOutputStream();
    writer.write(bytes, metrics.registry().scrape());
    response.header(HeaderNames.CONTENT_TYPE, writer.getContentType());
    response.send(bytes.toByteArray());
  }
}
