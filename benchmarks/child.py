"""A program that is asked in lines of JSON and answers in lines of JSON."""

import json
import pathlib
import subprocess


class Child:
    def __init__(self, command: list, folder: pathlib.Path, environment: dict):
        # A session of its own: Ctrl-C is for the run, which then ends its parts in order.
        self._errors = folder / "stderr"
        with open(self._errors, "wb") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )

    def ask(self, what: str, **arguments):
        request = json.dumps({"ask": what, **arguments}) + "\n"
        try:
            self._process.stdin.write(request.encode())
            self._process.stdin.flush()
        except BrokenPipeError:
            pass
        answer = self._process.stdout.readline()
        if not answer:
            self._process.wait()
            said = self._errors.read_text(errors="replace").strip().splitlines()[-6:]
            raise RuntimeError(f"`{what}` was not answered: " + " / ".join(said))
        return json.loads(answer)

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, *_) -> None:
        """The end of its input is the child's sign to clean up and go."""
        try:
            self._process.stdin.close()
            self._process.wait(timeout=30)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
