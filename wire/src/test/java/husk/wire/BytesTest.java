package husk.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BytesTest {
  @Test
  void equalContentsAreEqualValues() {
    var bytes = Bytes.of(new byte[] {1, 2});
    assertThat(bytes).isEqualTo(Bytes.of(new byte[] {1, 2})).isNotEqualTo(Bytes.of(new byte[2]));
    assertThat(bytes).hasSameHashCodeAs(Bytes.of(new byte[] {1, 2})).hasToString("2 bytes");
    assertThat(bytes.buffer().isReadOnly()).isTrue();
  }

  @Test
  void changingACopyChangesNothing() {
    var bytes = Bytes.of(new byte[] {1, 2});
    bytes.toArray()[0] = 9;
    assertThat(bytes.toArray()).containsExactly(1, 2);
    assertThat(bytes.size()).isEqualTo(2);
  }
}
