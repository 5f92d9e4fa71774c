package husk.api.listen;

import husk.core.Opened;
import java.util.ArrayList;
import java.util.List;

/// What was opened to callers, spelled as the options that did it.
final class OpenedWords {
  private OpenedWords() {}

  static List<String> of(Opened opened) {
    var words = new ArrayList<String>();
    add(words, opened.hostBackend(), "allow-host-backend");
    opened.mounts().forEach(folder -> words.add("allow-mount " + folder));
    opened.profiles().stream()
        .sorted()
        .forEach(profile -> words.add("allow-profile " + profile.wireName()));
    add(words, opened.python(), "allow-python");
    add(words, opened.privateNetwork(), "allow-private-network");
    add(words, opened.publish(), "allow-publish");
    return words;
  }

  private static void add(List<String> words, boolean is, String word) {
    if (is) {
      words.add(word);
    }
  }
}
