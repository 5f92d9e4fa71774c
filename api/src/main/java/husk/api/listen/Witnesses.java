package husk.api.listen;

import husk.api.observe.Metrics;
import husk.api.observe.Tracing;

/// Those who are told of every request.
record Witnesses(Metrics metrics, Tracing tracing, AccessLog accessLog) {}
