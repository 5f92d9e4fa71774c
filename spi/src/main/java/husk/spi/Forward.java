package husk.spi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// A connection to a port inside a sandbox.
public interface Forward extends AutoCloseable {
  InputStream input();

  OutputStream output();

  /// Says that nothing more is sent.
  void endOutput() throws IOException;

  @Override
  void close();
}
