package husk.backends.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import husk.contract.Ran;
import husk.spi.CommandSpec;
import husk.spi.Sandbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Something that untrusted code would try, as the body of a Python function. It returns what is
/// true if it got through, and raises `OSError` or returns what is false if not.
///
/// Anything else, such as an attack that is no Python at all, is neither a success nor a refusal,
/// and fails the test.
record Attack(String body, List<String> words) {
  private static final String BEFORE =
      """
      import ctypes, errno, fcntl, glob, os, pty, re, resource, signal, socket, stat, struct, subprocess, sys, time
      libc = ctypes.CDLL(None, use_errno=True)
      def check(result):
          if result < 0:
              number = ctypes.get_errno()
              raise OSError(number, os.strerror(number))
          return True
      def answered(x86, arm, *arguments):
          'Whether the kernel itself looked at the call.'
          ctypes.set_errno(0)
          number = x86 if os.uname().machine == 'x86_64' else arm
          result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) for a in arguments])
          return result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS)
      def text(path):
          with open(path, 'rb') as file:
              return file.read().decode(errors='replace')
      def attack(args):
      """;

  private static final String AFTER =
      """
      try:
          print('REACHED' if attack(sys.argv[1:]) else 'REFUSED nothing there')
      except OSError as e:
          print('REFUSED', errno.errorcode.get(e.errno, e))
      """;

  static Attack of(String body, Object... words) {
    return new Attack(body, Arrays.stream(words).map(Object::toString).toList());
  }

  /// What it said.
  String in(Sandbox sandbox) throws IOException {
    var script = BEFORE + body.indent(4) + AFTER;
    var argv = new ArrayList<>(List.of("/usr/bin/python3", "-I", "-c", script));
    argv.addAll(words);
    var ran = Ran.in(sandbox, CommandSpec.of(argv));
    return (ran.out() + ran.err()).strip();
  }

  void isRefusedIn(Sandbox sandbox) throws IOException {
    assertThat(in(sandbox)).as("attack behind walls").startsWith("REFUSED").hasLineCount(1);
  }

  void worksIn(Sandbox sandbox) throws IOException {
    assertThat(in(sandbox)).as("the same without walls").isEqualTo("REACHED");
  }
}
