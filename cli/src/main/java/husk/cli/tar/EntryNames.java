package husk.cli.tar;

import husk.model.Problem;
import java.util.ArrayList;
import java.util.List;

/// What an archive's names mean below the folder it is laid out in; those that lead out of it are
/// refused.
final class EntryNames {
  private EntryNames() {}

  /// The steps from the folder to the entry; none for the folder itself.
  static List<String> steps(String name) {
    if (name.startsWith("/") || name.isEmpty() || name.indexOf('\0') >= 0) {
      throw refused("the entry `" + shown(name) + "`");
    }
    var steps = new ArrayList<String>();
    for (String step : name.split("/", -1)) {
      if (step.equals("..")) {
        throw refused("the entry `" + shown(name) + "`");
      }
      if (!step.isEmpty() && !step.equals(".")) {
        steps.add(step);
      }
    }
    return steps;
  }

  /// Makes sure that a symbolic link stays inside. It may climb only at its beginning, out of real
  /// folders: after a step down, `..` would leave whatever that step leads to.
  static void requireInside(List<String> link, String target) {
    int height = link.size() - 1;
    boolean down = false;
    boolean inside = !target.startsWith("/") && !target.isEmpty() && target.indexOf('\0') < 0;
    for (String step : target.split("/", -1)) {
      if (step.equals("..")) {
        inside &= !down && --height >= 0;
      } else if (!step.isEmpty() && !step.equals(".")) {
        down = true;
      }
    }
    if (!inside) {
      throw refused("the link `" + shown(String.join("/", link) + " -> " + target) + "`");
    }
  }

  static Problem refused(String what) {
    return new Problem(
        Problem.Code.FORBIDDEN,
        what + " leads out of the folder that is copied, and was refused",
        "what came before it has been copied; remove it in the sandbox, or copy single files");
  }

  /// Names from inside must not reach a terminal as control characters.
  static String shown(String name) {
    var clean = new StringBuilder();
    for (int i = 0; i < Math.min(name.length(), 300); i++) {
      char c = name.charAt(i);
      clean.append(Character.isISOControl(c) ? '?' : c);
    }
    return clean.toString();
  }
}
