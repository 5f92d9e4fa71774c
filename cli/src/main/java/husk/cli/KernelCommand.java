package husk.cli;

/// A command about one kernel, which [WhichKernel] finds: its name as the first operand, or
/// `--name` or `--id`.
interface KernelCommand extends Command {
  @Override
  default Option[] options() {
    return Options.which();
  }

  @Override
  default String[] operands() {
    return new String[] {"[NAME]"};
  }

  @Override
  default String choices() {
    return Option.KERNELS;
  }
}
