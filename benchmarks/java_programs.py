"""The small Java programs of `java/`: compiled against the installation, and run."""

import subprocess

from .bench import CLASSES, DIST, ROOT, Bench
from .child import Child

SOURCES = ROOT / "benchmarks/java"
SDK = ROOT / "sdk/java/src/main/java"


def compile_all() -> dict:
    """The programs that could be compiled, and for the others what is wrong."""
    return {name: compile_one(name) for name in ("CoreExecute", "SdkExecute")}


def compile_one(name: str) -> str:
    """Empty, or the first lines of what the compiler has to say."""
    CLASSES.mkdir(parents=True, exist_ok=True)
    command = [
        f"{java()}c",
        *("-nowarn", "-proc:none", "-implicit:class", "-d", str(CLASSES)),
        *("-cp", f"{DIST}/lib/*", "-sourcepath", f"{SOURCES}:{SDK}"),
        str(SOURCES / f"husk/benchmarks/{name}.java"),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    return "" if done.returncode == 0 else " / ".join(done.stderr.strip().splitlines()[:3])


def run(bench: Bench, name: str, environment: dict) -> Child:
    command = [
        java(),
        *("--enable-native-access=ALL-UNNAMED", f"-Dhusk.dist={DIST}"),
        *("-cp", f"{CLASSES}:{DIST}/lib/*", f"husk.benchmarks.{name}"),
    ]
    return Child(command, bench.folder(), environment)


def java() -> str:
    return (DIST / "java").read_text()
