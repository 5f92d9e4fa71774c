package husk.backends.bubblewrap;

/// The files, beside the agent, with the filters of who moves into a sandbox.
///
/// @param inside of kernels
/// @param porter of who copies them, which belongs to whatever code runs in them: it is held to no
///   less than they are
record Filters(String inside, String porter) {
  private static final Filters USUAL = new Filters("husk-inside.filter", "husk-porter.filter");
  private static final Filters FIXED_PROCESSORS =
      new Filters("husk-fixed-processors.filter", "husk-porter-fixed-processors.filter");

  static Filters of(boolean fixedProcessors) {
    return fixedProcessors ? FIXED_PROCESSORS : USUAL;
  }
}
