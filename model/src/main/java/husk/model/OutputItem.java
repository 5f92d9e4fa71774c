package husk.model;

import java.util.Map;
import java.util.Optional;

/// One output of an execution, in the order it came.
///
/// @param kind `stream`, `display_data`, `execute_result` or `error`
/// @param text the plain text of it, where it has one
/// @param name `stdout` or `stderr`, for streams
/// @param data every MIME type it came in; for errors the error's fields
/// @param metadata what the kernel said about it
public record OutputItem(
    String kind,
    Optional<String> text,
    Optional<String> name,
    Map<String, Object> data,
    Map<String, Object> metadata) {

  public static OutputItem stream(String name, String text) {
    return new OutputItem("stream", Optional.of(text), Optional.of(name), Map.of(), Map.of());
  }
}
