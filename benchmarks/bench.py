"""What a run has: a temporary place for everything, and what is started in it."""

import os
import pathlib
import shutil
import signal
import tempfile

from . import processes
from .child import Child
from .husk import Husk

ROOT = pathlib.Path(__file__).resolve().parent.parent
DIST = ROOT / "app/target/husk"
PYTHON = ROOT / ".check/bench-python/bin/python"
PEERS = ROOT / "benchmarks/peers"
CLASSES = ROOT / ".check/bench-java"


class Bench:
    """One run. Leaving it ends every process that was started in it and removes its files."""

    def __init__(self, quick: bool):
        self.quick = quick
        self.left_behind = []

    def __enter__(self) -> "Bench":
        # Short, because the paths of sockets have to fit into 108 bytes.
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="hb-", dir="/tmp"))
        self._made = 0
        return self

    def __exit__(self, *_) -> None:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.left_behind += processes.end_all(self.place)
            shutil.rmtree(self.place, ignore_errors=True)
        finally:
            signal.signal(signal.SIGINT, before)

    def times(self, whole: int, quick: int) -> int:
        return quick if self.quick else whole

    def folder(self) -> pathlib.Path:
        self._made += 1
        folder = self.place / str(self._made)
        folder.mkdir(mode=0o700)
        return folder

    def environment(self, folder: pathlib.Path) -> dict:
        """Nothing of the caller's but where programs are; a home of its own."""
        kept = {name: os.environ[name] for name in ("PATH", "USER", "TZ") if name in os.environ}
        return {**kept, "HOME": str(folder), "LC_ALL": "C.UTF-8"}

    def husk_environment(self, folder: pathlib.Path) -> dict:
        return {
            **self.environment(folder),
            "HUSK_HOME": str(folder / "h"),
            "HUSK_RUNTIME_DIR": str(folder / "r"),
            "HUSK_PYTHON": str(PYTHON),
        }

    def peer_environment(self, folder: pathlib.Path) -> dict:
        return {
            **self.environment(folder),
            "KERNELBOX_HOME": str(folder / "kernelbox"),
            "JUPYTER_RUNTIME_DIR": str(folder / "jupyter"),
            "IPYTHONDIR": str(folder / "ipython"),
        }

    def husk(self, dist: pathlib.Path = DIST, **settings: str) -> Husk:
        """A Husk with nothing in it; as a context it has a running daemon."""
        folder = self.folder()
        return Husk(dist, folder, {**self.husk_environment(folder), **settings})

    def peer(self, driver: str) -> Child:
        """A driver of `peers/`, on the Python that Husk's kernels run on too."""
        folder = self.folder()
        command = [str(PYTHON), "-B", str(PEERS / f"{driver}.py")]
        return Child(command, folder, self.peer_environment(folder))
