"""Sandboxes as the daemon makes them, around the guest agent."""

import json
import os
import shutil
import subprocess
import tempfile

import pytest

from harness import GUEST, PATIENCE, as_user, packages, process_exists, python_for, wait_until

AGENT = os.path.join(os.path.dirname(GUEST), "agent", "build", "husk-agent")
IDENTITY = 0x70001234
BUBBLEWRAP = """bwrap --userns 10 --seccomp 11 --unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try --as-pid-1
  --uid 1000 --gid 1000 --cap-drop ALL --dev-bind /view / --proc /proc --info-fd 5 --""".split()
NAMESPACES = ("mnt", "uts", "ipc", "user", "pid", "net")

needed = pytest.mark.skipif(
    not (shutil.which("bwrap") and os.path.exists(AGENT)),
    reason="needs bubblewrap and the guest agent (make -C guest/agent OUT=guest/agent)",
)


class Walls:
    """One sandbox; a sibling shares its family. ``user`` makes it as that user instead of root, ``more`` is seen inside too."""

    def __init__(self, folder, sibling=None, user=None, more=()):
        self.folder = tempfile.mkdtemp(dir=folder)
        self.workspace, self.proxy = self.path("workspace"), self.path("proxy")
        for path in (self.workspace, self.proxy):
            os.mkdir(path)
        if user is not None:
            for path in (self.folder, self.workspace, self.proxy):
                os.chown(path, user, user)
        self._user, self._more = user, more
        command = self.launch(str(sibling.family) if sibling else "new")
        self._process = subprocess.Popen([*command, *BUBBLEWRAP, "/.husk/agent", "serve"], stdin=subprocess.DEVNULL)
        wait_until(lambda: self._said().endswith("}\n") or self._process.poll() is not None, "the walls stand")
        assert self._process.poll() is None, open(self.path("log")).read()
        said = json.loads(self._said())
        self.pid, self.family, self.launcher = said["child-pid"], said["family"], said["launcher"]

    def launch(self, family, name=""):
        """The launcher, up to what it starts; one that is given a name keeps its files under that."""
        command = as_user(self._user)
        command += [AGENT, "launch", "--info", self.path(name + "info"), "--log", self.path(name + "log")]
        command += ["--socket", self.path(name + "s"), "--proxy-dir", self.proxy, "--family", family]
        if os.getuid() == 0 and self._user is None:
            command += ["--identity", str(IDENTITY)]
        return [*command, *self._view(self._user, self._more), "--"]

    def _view(self, user, more):
        ask = [python_for(user), "-c", "import sys; print(sys.prefix); print(sys.base_prefix)"]
        prefixes = subprocess.check_output(ask, text=True).split() + ([packages()] if user is not None else [])
        view = ["--tmpfs", "/", "0755", "1048576", "--dir", "/proc", "--ro-bind", "/usr", "/usr", "--dev", "/dev"]
        for name in ("bin", "lib", "lib64"):
            view += ["--symlink", "usr/" + name, "/" + name]
        view += ["--tmpfs", "/tmp", "1777", "67108864", "--bind", self.workspace, "/workspace"]
        for path in sorted({GUEST, *prefixes} - {"/usr"}):
            view += ["--ro-bind", path, path]
        return view + ["--ro-bind", AGENT, "/.husk/agent", *more]

    def path(self, name):
        return os.path.join(self.folder, name)

    def _said(self):
        if not os.path.exists(self.path("info")):
            return ""
        with open(self.path("info")) as info:
            return info.read()

    def housing(self):
        for name in ("inside", "porter"):
            with open(self.path(name), "wb") as file:
                file.write(subprocess.check_output([AGENT, "seccomp", name]))
        place = {"pid": self.pid, "family": self.family, "uid": 1000, "gid": 1000, "rlimits": {"nofile": 200}}
        return dict(place, seccomp=self.path("inside"), porter_seccomp=self.path("porter"))

    def close(self):
        """As the daemon does it: what was taken over can keep a sandbox from ending, but not its family."""
        if process_exists(self.pid):
            os.kill(self.pid, 9)
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            os.kill(self.family, 9)
            self._process.wait(PATIENCE)
