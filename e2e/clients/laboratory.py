"""JupyterLab with `--gateway-url`: a Jupyter Server that has no kernels of its own."""

import json
import pathlib
import sys

import server as servers

# Neither asks the network by itself, as these two do.
QUIET = ("apputils-extension:announcements", "extensionmanager-extension:plugin")


class Laboratory:
    def __init__(self, server: servers.Server):
        self.place = server.place / "lab"
        self.notebooks = self.place / "notebooks"
        self.notebooks.mkdir(parents=True)
        self.gateway = server.url
        self.port = servers.free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Laboratory":
        environment = servers.surroundings(self.place)
        be_quiet(pathlib.Path(environment["JUPYTER_CONFIG_DIR"]))
        log = self.place / "server.log"
        self.process = servers.start(self.command(), self.notebooks, environment, log)
        servers.await_answer(f"{self.url}/api", self.process, log)
        return self

    def command(self) -> list:
        """Without a token, because the gateway client of Jupyter Server sends none by WebSocket."""
        return [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            f"--gateway-url={self.gateway}",
            f"--ServerApp.port={self.port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.notebooks}",
            "--ServerApp.disable_check_xsrf=True",
            "--IdentityProvider.token=",
        ]

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(servers.PATIENCE)


def be_quiet(configuration: pathlib.Path) -> None:
    page = configuration / "labconfig/page_config.json"
    page.parent.mkdir(parents=True)
    disabled = {f"@jupyterlab/{extension}": True for extension in QUIET}
    page.write_text(json.dumps({"disabledExtensions": disabled}))
