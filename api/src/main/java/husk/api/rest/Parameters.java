package husk.api.rest;

import husk.api.form.Field;
import husk.api.form.Flag;
import husk.api.form.Text;

/// What may stand in the query of a request.
public final class Parameters {
  public static final Field REFRESH =
      Field.usually(false, "refresh", new Flag(), "Ask each kernel for its heartbeat first.");
  public static final Field WAIT =
      Field.usually(false, "wait", new Flag(), "Wait for the execution to end.");
  public static final Field KERNEL =
      Field.required("kernel", new Text(), "The kernel's id, name or session name.");

  public static final Field CHECKPOINT =
      Field.optional(
          "checkpoint", new Text(), "A checkpoint's label or id; the latest if left out.");
  public static final Field WITH =
      Field.optional("with", new Text(), "Another kernel instead, by its name or id.");

  private Parameters() {}
}
