package husk.cli;

/// Prints the file that makes a sandbox again.
final class SandboxExportConfigCommand implements Command {
  @Override
  public String name() {
    return "sandbox export-config";
  }

  @Override
  public String summary() {
    return "Print a husk.toml that makes a sandbox like this one";
  }

  @Override
  public Speech speech() {
    return Speech.TEXT;
  }

  @Override
  public String[] operands() {
    return new String[] {"SANDBOX"};
  }

  @Override
  public String choices() {
    return Option.SANDBOXES;
  }

  @Override
  public int run(Arguments arguments, Terminal terminal) {
    var sandbox = new Sandboxes(terminal).find(arguments.requireOperand(0));
    terminal.print(SandboxConfig.of(sandbox));
    return ExitCodes.SUCCESS;
  }
}
