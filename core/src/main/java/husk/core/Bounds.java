package husk.core;

import husk.model.KernelOptions;
import husk.model.KernelRecord;
import husk.sandboxes.SandboxInfo;
import husk.sandboxes.SandboxRequest;
import husk.spi.Egress;
import java.util.Optional;

/// Within which bounds somebody is served. Each method refuses what is beyond them.
interface Bounds {
  /// None: whoever may open the daemon's own socket, or has Husk in-process, is its owner.
  Bounds NONE =
      new Bounds() {
        @Override
        public boolean any() {
          return false;
        }

        @Override
        public Caller caller(Caller given) {
          return given;
        }

        @Override
        public void make(KernelOptions options) {}

        @Override
        public void make(SandboxRequest asked, Optional<String> config) {}

        @Override
        public void use(KernelRecord kernel) {}

        @Override
        public void use(SandboxInfo sandbox) {}

        @Override
        public void start(SandboxInfo sandbox) {}

        @Override
        public void open(Egress now, Egress changed) {}
      };

  /// Whether there are any.
  boolean any();

  /// For whom something is done, of what was said about that.
  Caller caller(Caller given);

  /// Whether a kernel may be made like this.
  void make(KernelOptions options);

  /// Whether a sandbox may be made like this.
  ///
  /// @param config a project's file that was named
  void make(SandboxRequest asked, Optional<String> config);

  /// Whether code may be run in a kernel that is there.
  void use(KernelRecord kernel);

  /// Whether anything may be done inside a sandbox that is there.
  void use(SandboxInfo sandbox);

  /// Whether it may be started: what it shows of the host is looked up again then.
  void start(SandboxInfo sandbox);

  /// Whether a sandbox's rules may be changed like this.
  void open(Egress now, Egress changed);
}
