package husk.backends.bubblewrap;

import husk.spi.SandboxPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The files of `/etc` that are a sandbox's own, and say nothing about the machine.
final class OwnFiles {
  static final Map<String, String> CONTENTS =
      new TreeMap<>(
          Map.of(
              "passwd",
              """
              root:x:0:0:root:/root:/bin/sh
              husk:x:1000:1000:husk:/home/husk:/bin/sh
              nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
              """,
              "group",
              "root:x:0:\nhusk:x:1000:\nnogroup:x:65534:\n",
              "hosts",
              "127.0.0.1 localhost husk\n::1 localhost\n",
              "hostname",
              "husk\n",
              "nsswitch.conf",
              "passwd: files\ngroup: files\nhosts: files\nservices: files\nprotocols: files\n"));

  private OwnFiles() {}

  static List<String> arguments(SandboxPlace place) throws IOException {
    var folder = place.files().resolve("etc");
    Files.createDirectories(folder);
    var arguments = new ArrayList<String>();
    for (var file : CONTENTS.entrySet()) {
      var path = folder.resolve(file.getKey());
      if (!Files.exists(path)) {
        Files.writeString(path, file.getValue());
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
      }
      arguments.addAll(List.of("--ro-bind", path.toString(), "/etc/" + file.getKey()));
    }
    return arguments;
  }
}
