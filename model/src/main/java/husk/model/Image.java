package husk.model;

/// A picture drawn by an execution.
///
/// @param mime for example `image/png`
/// @param data base64, or the text itself for SVG
public record Image(String mime, String data) {}
