package husk.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import husk.testkit.LeakDetector;
import husk.testkit.TestPython;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakDetector.class)
final class PythonEnvironmentTest {
  private HuskCommand husk;

  @BeforeEach
  void open() {
    husk = new HuskCommand();
    // How this machine reaches the package index.
    System.getenv()
        .forEach(
            (name, value) -> {
              if (name.startsWith("PIP_")
                  || name.endsWith("_CA_BUNDLE")
                  || name.startsWith("SSL_")) {
                husk.environment.put(name, value);
              }
            });
  }

  @AfterEach
  void close() {
    husk.close();
  }

  @Test
  void environmentIsMadeWithItsRequirementsAndItsKernelsStartWithThePreloadedModules() {
    var made =
        husk.run(
            "python",
            "add",
            "data",
            "--from",
            TestPython.find().toString(),
            "--require",
            "six",
            "--preload",
            "six");
    assertThat(made.exit()).as(made.err()).isZero();
    assertThat(made.err()).as("what it was at, meanwhile").contains("husk: installing ipython");
    assertThat(husk.run("python", "list").out()).contains("data", "six");
    var loaded =
        husk.run("exec", "--name", "k", "--python", "data", "import sys; 'six' in sys.modules");
    assertThat(loaded.json().path("return_value").asString()).isEqualTo("True");
    var folder = husk.home.resolve("home/python/data").toString();
    var byFolder = husk.run("exec", "--name", "f", "--python", folder, "import sys; sys.prefix");
    assertThat(byFolder.json().path("return_value").asString()).isEqualTo("'" + folder + "'");
    var pip = husk.run("exec", "--name", "k", "--bash", "which python");
    assertThat(pip.json().path("output").asString()).isEqualTo(folder + "/bin/python\n");
    assertThat(husk.run("python", "remove", "data").exit()).isZero();
  }

  @Test
  void pythonThatIsNotThereIsRefusedByName() {
    var refused = husk.run("exec", "--name", "k", "--python", "/no/such/python", "1");
    assertThat(refused.exit()).isEqualTo(3);
    assertThat(refused.errorJson().path("code").asString()).isEqualTo("environment_not_found");
  }

  @Test
  void pythonWithoutIpythonIsRefusedWithTheCommandThatHelps() throws Exception {
    var bare = husk.home.resolve("bare");
    var venv =
        new ProcessBuilder(
                TestPython.find().toString(), "-m", "venv", "--without-pip", bare.toString())
            .start();
    assertThat(venv.waitFor()).isZero();
    var refused = husk.run("exec", "--name", "k", "--python", bare.toString(), "1");
    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.errorJson().path("code").asString()).isEqualTo("environment_broken");
    assertThat(refused.errorJson().path("remedies").get(0).asString())
        .contains("pip install ipython pyzmq");
    assertThat(husk.run("list").json().path("kernels")).isEmpty();
  }
}
