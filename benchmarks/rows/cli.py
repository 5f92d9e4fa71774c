"""One call of the command, from its start to its end, with a kernel that is there."""

import json
import subprocess

from ..bench import PYTHON
from ..husk import check, timed
from ..lines import Line, Sample

NAME = "cli"


def run(bench) -> list:
    folder = bench.folder()
    environment = bench.peer_environment(folder)
    kernelbox = str(PYTHON.with_name("kernelbox"))
    husk_times, peer_times = [], []
    with bench.husk() as husk:

        def ours() -> None:
            answer(husk.command("exec", "--name", "x", "1+1"), husk.folder, husk.environment)

        def theirs() -> None:
            answer([kernelbox, "exec", "--name", "x", "1+1"], folder, environment)

        call([kernelbox, "create", "--name", "x"], folder, environment)
        try:
            for _ in range(bench.times(10, 2)):
                ours()
                theirs()
            for _ in range(bench.times(60, 5)):
                husk_times.append(timed(ours))
                peer_times.append(timed(theirs))
        finally:
            call([kernelbox, "destroy", "--name", "x"], folder, environment)
    line = Line(
        NAME,
        "`husk exec --name x 1+1`, warm daemon",
        Sample(husk_times),
        "`kernelbox exec`",
        Sample(peer_times),
        "≥ 2x",
        Sample(peer_times).value / Sample(husk_times).value >= 2,
    )
    return [line]


def call(command: list, folder, environment: dict) -> bytes:
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True
    )
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise RuntimeError(f"`{command[0]} {command[1]}` ended with {done.returncode}: {said}")
    return done.stdout


def answer(command: list, folder, environment: dict) -> None:
    check(json.loads(call(command, folder, environment))["return_value"])
