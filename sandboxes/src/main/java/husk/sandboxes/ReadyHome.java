package husk.sandboxes;

import husk.spi.Sandbox;
import husk.spi.SandboxSpec;
import husk.store.SandboxRow;

/// A running sandbox that is nobody's yet.
public record ReadyHome(SandboxRow row, SandboxSpec spec, Sandbox sandbox) {}
