package husk.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class CommandsTest {

  @Test
  void everyCommandIsFoundUnderItsOwnName() {
    for (Command command : Commands.all()) {
      assertThat(Commands.find(command.name()).orElseThrow()).hasSameClassAs(command);
    }
  }

  @Test
  void theFirstWordsOfTwoWordCommandsAreFamilies() {
    for (Command command : Commands.all()) {
      boolean two = command.name().indexOf(' ') > 0;
      String first = command.name().split(" ", -1)[0];
      assertThat(Commands.isFamily(first)).as(command.name()).isEqualTo(two);
      assertThat(Commands.find(first).isPresent()).as(first).isEqualTo(!two);
    }
  }

  @Test
  void noCommandHasTwoOptionsOfOneNameOrLetter() {
    for (Command command : Commands.all()) {
      var seen = new HashSet<String>();
      for (Option option : Options.all(command)) {
        assertThat(seen.add("--" + option.name())).as(command.name() + option).isTrue();
        if (!option.alias().isEmpty()) {
          assertThat(seen.add("-" + option.alias())).as(command.name() + option).isTrue();
        }
      }
    }
  }
}
