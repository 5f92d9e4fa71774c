"""Agents to test: on the host, and inside bubblewrap as root's identity or as an ordinary user."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from client import Agent

PROGRAM = Path(os.environ.get("HUSK_AGENT", "build/husk-agent")).resolve()
PATH = "PATH=/usr/local/bin:/usr/bin:/bin"
IDENTITY = 1879049216
NOBODY = 65534
WALLS = """bwrap --userns 10 --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --as-pid-1
  --uid 1000 --gid 1000 --hostname husk --cap-drop ALL --clearenv --dev-bind /view / --proc /proc
  --ro-bind /proc/sys /proc/sys --info-fd 5 --chdir /workspace --"""


def eventually(condition, seconds=20):
    """Waits for something that must become true; the time only bounds a failure."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if got := condition():
            return got
        time.sleep(0.02)
    raise AssertionError(f"did not become true: {condition}")


def children_of(pid):
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1]) == pid:
                found.append(int(entry))
        except (OSError, ProcessLookupError):
            pass
    return found


def descendants_of(pid):
    found = []
    for child in children_of(pid):
        found += [child, *descendants_of(child)]
    return found


class Place(Agent):
    """A started agent with its folder; closing it leaves nothing behind."""

    def __init__(self, kind, launch=(), serve=(), proxy=False, seccomp="yes", program=None):
        self.folder = Path(tempfile.mkdtemp(prefix="agent-test-"))
        super().__init__(self.folder / "s")
        self.kind = kind
        self.workspace = self.folder / "workspace"
        self.workspace.mkdir()
        self.proxy = self.folder / "proxy"
        self.proxy.mkdir(mode=0o700)
        self.root = self.folder if kind == "identity" else None
        program = self.folder / "husk-agent"
        shutil.copy(PROGRAM, program)
        program.chmod(0o755)
        if kind == "nobody":
            for path in (self.folder, self.workspace, self.proxy):
                os.chown(path, NOBODY, NOBODY)
        command = [program, "launch", "--socket", self.path, "--log", self.folder / "log"]
        command += ["--proxy-dir", self.proxy] if proxy else []
        command += ["--identity", str(IDENTITY)] if kind == "identity" else []
        command += [] if kind == "host" else ["--info", self.folder / "info", "--family", "new", *self.view(program)]
        command += [*launch, "--"]
        serve = ["serve", "--env", PATH, "--env", "HOME=/workspace", "--seccomp", seccomp, *serve]
        if kind == "host":
            command += [program, *serve, "--host", "yes", "--cwd", self.workspace]
        else:
            command += [*WALLS.split(), "/.husk-agent", *serve, "--cwd", "/workspace"]
        if kind == "nobody":
            command = ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups", *command]
        environment = {**os.environ, "HUSK_TEST_SECRET": "of the caller"}
        self.process = subprocess.Popen([str(word) for word in command], env=environment, stderr=subprocess.PIPE)
        eventually(lambda: self.path.exists() or self.process.poll() is not None)

    def view(self, program):
        view = "--tmpfs / 0755 16777216 --dir /proc --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/sbin /sbin"
        view += " --symlink usr/lib /lib --symlink usr/lib64 /lib64 --dev /dev --tmpfs /tmp 1777 1073741824 --tmpfs /dev/shm 1777 67108864"
        return [*view.split(), "--bind", self.workspace, "/workspace", "--ro-bind", program, "/.husk-agent"]

    @property
    def inside(self):
        """The workspace as commands see it."""
        return str(self.workspace) if self.kind == "host" else "/workspace"

    def log(self):
        return (self.folder / "log").read_text()

    def close(self):
        descendants = descendants_of(self.process.pid)
        if self.process.poll() is None:
            try:
                self.ask("shutdown")
            except (OSError, AssertionError):
                os.kill(self.process.pid, signal.SIGTERM)
        try:
            assert self.process.wait(20) is not None
            eventually(lambda: not [pid for pid in descendants if is_alive(pid)])
        finally:
            self.process.kill()
            self.process.stderr.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
