package husk.benchmarks;

import husk.Husk;
import java.io.IOException;

/// `1+1` on a live kernel, through the Java library and the daemon.
public final class SdkExecute {
  private SdkExecute() {}

  public static void main(String[] arguments) throws IOException {
    try (var husk = Husk.open()) {
      var kernel = husk.getOrCreate("sdk");
      try {
        Service.serve(() -> husk.execute(kernel, "1+1"));
      } finally {
        husk.destroy(kernel);
      }
    }
    System.exit(0);
  }
}
