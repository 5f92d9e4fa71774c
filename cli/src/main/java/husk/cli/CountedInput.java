package husk.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// Counts what passes.
final class CountedInput extends FilterInputStream {
  private long count;

  CountedInput(InputStream in) {
    super(in);
  }

  long count() {
    return count;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    count += b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int read = super.read(into, offset, length);
    count += Math.max(read, 0);
    return read;
  }
}
