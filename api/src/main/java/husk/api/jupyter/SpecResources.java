package husk.api.jupyter;

import husk.kernels.KernelSpec;
import husk.model.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The files that come with a kernelspec: logos above all. Only what is listed can be fetched.
final class SpecResources {
  /// Husk's own.
  static final List<String> OWN = List.of("logo-svg.svg");

  private static final Map<String, String> TYPES =
      Map.of(
          "png", "image/png",
          "svg", "image/svg+xml",
          "gif", "image/gif",
          "jpg", "image/jpeg",
          "js", "text/javascript",
          "css", "text/css");

  private SpecResources() {}

  /// The names of the files in its folder that clients may have.
  static List<String> in(KernelSpec spec) {
    try (var entries = Files.list(spec.resources())) {
      return entries
          .filter(Files::isRegularFile)
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> type(name).isPresent())
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  static Map<String, String> urls(String spec, List<String> files) {
    var urls = new TreeMap<String, String>();
    for (var file : files) {
      urls.putIfAbsent(
          file.substring(0, file.lastIndexOf('.')),
          "/kernelspecs/" + escaped(spec) + "/" + escaped(file));
    }
    return urls;
  }

  private static String escaped(String segment) {
    return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /// The content type of a file that clients may have.
  static Optional<String> type(String name) {
    return Optional.ofNullable(TYPES.get(name.substring(name.lastIndexOf('.') + 1)))
        .filter(_ -> name.contains(".") && !name.startsWith("."));
  }

  static byte[] own(String name) {
    if (!OWN.contains(name)) {
      throw missing(name);
    }
    try (var in = SpecResources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw missing(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Names are compared with those in the folder, so that none leads out of it; nor does a link.
  static byte[] of(KernelSpec spec, String name) {
    if (!in(spec).contains(name)) {
      throw missing(name);
    }
    try {
      Path file = spec.resources().resolve(name).toRealPath();
      if (!file.startsWith(spec.resources().toRealPath())) {
        throw missing(name);
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw missing(name).causedBy(e);
    }
  }

  private static Problem missing(String name) {
    return new Problem(
        Problem.Code.KERNELSPEC_NOT_FOUND, "the kernelspec has no file `" + name + "`");
  }
}
