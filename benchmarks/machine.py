"""Where and with what the run was made."""

import datetime
import os
import pathlib
import platform
import re
import subprocess

from .bench import DIST, PYTHON, ROOT

PEERS = (
    "kernelbox",
    "ipybox",
    "jupyter_kernel_gateway",
    "ipykernel",
    "jupyter_client",
    "ipython",
    "pyzmq",
)


def describe(command: str) -> list:
    load_before = load()
    return [
        ("Date", datetime.datetime.now().astimezone().isoformat(" ", "minutes")),
        ("Command", f"`{command}`"),
        ("Revision", revision()),
        ("CPU", f"{cpu()}, {os.cpu_count()} cores"),
        ("Memory", memory()),
        ("Linux", f"{platform.release()}, {distribution()}"),
        ("Java", java()),
        ("Python", f"{of_python('import platform; print(platform.python_version())')}, for all"),
        ("Compared with", ", ".join(f"{name} {version(name)}" for name in PEERS)),
        ("Load before", load_before),
    ]


def load() -> str:
    """Means of 1, 5 and 15 minutes: on a quiet machine the first is well below the cores."""
    return " / ".join(f"{mean:.2f}" for mean in os.getloadavg())


def cpu() -> str:
    found = re.search(r"^model name\s*: (.*)", read("/proc/cpuinfo"), re.M)
    return found.group(1) if found else platform.machine()


def memory() -> str:
    kilobytes = int(re.search(r"^MemTotal:\s*(\d+)", read("/proc/meminfo"), re.M).group(1))
    return f"{kilobytes / (1 << 20):.1f} GiB"


def distribution() -> str:
    found = re.search(r'^PRETTY_NAME="?([^"\n]*)', read("/etc/os-release"), re.M)
    return found.group(1) if found else "unknown distribution"


def java() -> str:
    program = read(DIST / "java")
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    return printed.stdout.splitlines()[1].strip()


def version(package: str) -> str:
    return of_python(f"import importlib.metadata as m; print(m.version('{package}'))")


def of_python(code: str) -> str:
    command = [str(PYTHON), "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def revision() -> str:
    def git(*arguments):
        command = ["git", "-C", str(ROOT), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", ":!benchmarks/results")
        return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def read(path) -> str:
    try:
        return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
