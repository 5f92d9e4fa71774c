"""The whole of Husk for Python programs."""

from __future__ import annotations

import math
import os
import secrets
from typing import Any, Callable, Iterator, List, Mapping, Optional, Sequence, Union

from husk import environment
from husk.config import KernelBoxConfig
from husk.connections import Connections
from husk.daemon import DaemonDoor
from husk.doors import Door, LocalDoor, ServerDoor
from husk.errors import InvalidRequest, KernelNotFound
from husk.events import Event
from husk.execution import RemoteExecution, await_result
from husk.live import LiveState
from husk.locations import Locations
from husk.model import ExecutionResult, KernelHealth, KernelRecord
from husk.paths import execution_path, kernel_path, query, session_path
from husk.retry import retry
from husk.sandbox import Sandbox
from husk.sandbox_model import SandboxInfo

Kernel = Union[KernelRecord, str]
"""A record means that very kernel; a text is a name or an id, and a name nobody has is made."""

OnError = Callable[[ExecutionResult, int], Optional[str]]
"""Given the failed result and the attempt's number, says what to run next; None for the same again."""


class Husk(LiveState):
    """Persistent kernels: named places where code runs and its variables stay.

    Without arguments it reaches the user's daemon, which is started if there is none, or, if ``HUSK_URL``
    is set, the server there. Kernels outlive the ``Husk`` they were made with: the next one finds them by
    their names. It can be used by any number of threads, and after a fork.

    What happens to the code is a result, never an exception: errors, timeouts, even the death of the
    kernel. A `HuskError` says that the call itself could not be served.

    Args:
        url: A server, such as ``https://host:8080``; default ``HUSK_URL``, else the user's own daemon.
        api_key: What the server wants to see; default ``HUSK_API_KEY``.
        ca_file: Certificates to trust, in PEM; default ``HUSK_CA_FILE``, else the system's.
        environ: Variables to take settings from instead of this process's own.
        config: Settings that go before those of the environment.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        ca_file: str | None = None,
        environ: Mapping[str, str] | None = None,
        config: KernelBoxConfig | None = None,
    ) -> None:
        self._given_environ = environ
        self._config = config
        self._door = self._find_door(url, api_key, ca_file)
        self._connections = Connections(self._door)

    def __enter__(self) -> Husk:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Lets go of the connections. Kernels live on."""
        self._connections.close()

    # Kernels

    def get_or_create(
        self,
        name: str,
        *,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        python: str | os.PathLike[str] | None = None,
        kernel: str | None = None,
        tags: Mapping[str, str] | None = None,
        startup_code: str | None = None,
        idle_timeout: float | None = None,
        backend: str | None = None,
        profile: str | None = None,
        sandbox: str | Sandbox | None = None,
        live_state: bool | None = None,
        limits: Mapping[str, int] | None = None,
    ) -> KernelRecord:
        """The living kernel of this name: the one there is, or a new one.

        The options say how a new one is made; one that exists stays as it is.

        Args:
            name: Up to 200 printable characters.
            cwd: The directory it starts in; default this process's.
            env: Environment variables, on top of a few harmless ones of this process.
            python: An environment's name, a virtual environment's folder or an interpreter.
            kernel: ``husk``, or the name of a Jupyter kernelspec.
            tags: Labels of your own.
            startup_code: Run after every start of the kernel.
            idle_timeout: Seconds it may idle before it is ended; 0 for ever.
            backend: Who makes its sandbox: ``bubblewrap``, or ``host`` for none.
            profile: What its sandbox may do: ``permissive``, ``moderate`` or ``restrictive``.
            sandbox: A sandbox that it shares, instead of one of its own.
            live_state: Whether it can be forked, kept and taken back; default: unless restrictive.
            limits: Of its own sandbox: ``memory_mb``, ``cpu_percent``, ``workspace_mb`` and those that
                `create_sandbox` names. One that exists with other limits is an error.
        """
        options = _options(cwd, env, python, kernel, tags, startup_code, idle_timeout)
        options.update(_place(backend, profile, sandbox, live_state, limits))
        body = {**options, **self._caller()}
        return KernelRecord.from_dict(self._connections.ask("POST", session_path(name), body))

    def create(
        self,
        name: str | None = None,
        *,
        session_name: str | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        python: str | os.PathLike[str] | None = None,
        kernel: str | None = None,
        tags: Mapping[str, str] | None = None,
        startup_code: str | None = None,
        idle_timeout: float | None = None,
        backend: str | None = None,
        profile: str | None = None,
        sandbox: str | Sandbox | None = None,
        live_state: bool | None = None,
        limits: Mapping[str, int] | None = None,
    ) -> KernelRecord:
        """A new kernel; without a name it is known by its id.

        Raises:
            KernelAlreadyExists: A living kernel has the name.
        """
        options = _options(cwd, env, python, kernel, tags, startup_code, idle_timeout)
        options.update(_place(backend, profile, sandbox, live_state, limits))
        names = _given(name=name, session_name=session_name)
        body = {**names, **options, **self._caller()}
        return KernelRecord.from_dict(self._connections.ask_once("POST", "/kernels", body))

    def list_kernels(self) -> List[KernelRecord]:
        """All kernels, oldest first."""
        answer = self._connections.ask("GET", "/kernels")
        return [KernelRecord.from_dict(kernel) for kernel in answer["kernels"]]

    def status(self, kernel: Kernel) -> KernelHealth:
        """Whether a kernel lives, and whether it reacts; a busy one does both."""
        answer = self._connections.ask("GET", _path(kernel))
        record = KernelRecord.from_dict(answer["kernel"])
        return KernelHealth(record, answer["alive"], answer.get("responsive", answer["alive"]))

    def interrupt(self, kernel: Kernel) -> None:
        """Interrupts whatever the kernel runs, as Ctrl-C would; variables stay."""
        self._connections.ask_once("POST", f"{_path(kernel)}/interrupt", {})

    def restart(self, kernel: Kernel) -> KernelRecord:
        """A new process under the same name and id; variables are gone."""
        answer = self._connections.ask("POST", f"{_path(kernel)}/restart", {})
        return KernelRecord.from_dict(answer)

    def destroy(self, name_or_id: Kernel) -> bool:
        """Ends a kernel; then its processes and files are gone. False if there was none."""
        try:
            return bool(self._connections.ask("DELETE", _path(name_or_id))["destroyed"])
        except KernelNotFound:
            return False

    def wipe(self) -> List[str]:
        """Ends every kernel there is, and gives their ids."""
        return list(self._connections.ask("DELETE", "/kernels")["destroyed"])

    # Sandboxes

    def create_sandbox(
        self,
        name: str | None = None,
        *,
        profile: str | None = None,
        backend: str | None = None,
        network: bool | None = None,
        allow: Sequence[str] = (),
        deny: Sequence[str] = (),
        dir: str | os.PathLike[str] | None = None,
        mounts: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        limits: Mapping[str, int] | None = None,
        ports: Sequence[str] = (),
        labels: Mapping[str, str] | None = None,
        description: str | None = None,
        ttl: int | None = None,
        started: bool = True,
    ) -> Sandbox:
        """A new sandbox. What its machine cannot hold is refused, and nothing is started.

        Args:
            name: Without one it is removed at the end of its ``with`` block.
            profile: ``permissive``, ``moderate`` (the default) or ``restrictive``.
            backend: ``bubblewrap``, or ``host`` for no walls at all.
            network: Whether anything can be reached.
            allow: Where it may connect to, such as ``*.example.org:443``; with any, only there.
            deny: Where it may not.
            dir: A folder that it sees, and writes to, as ``/workspace``.
            mounts: More of the machine it runs on: ``SOURCE:TARGET``, read-only, or with ``:rw``.
            env: Variables of everything inside.
            limits: ``memory_mb``, ``cpu_percent``, ``processes``, ``open_files``, ``file_size_mb``,
                ``workspace_mb``, ``tmp_mb``.
            ports: To publish on the loopback of the machine it runs on: ``HOST:INSIDE``, or ``INSIDE``.
            labels: Labels of your own.
            description: What it is for.
            ttl: Seconds after which it is removed.
            started: Whether to start it at once.

        Raises:
            SandboxAlreadyExists: A sandbox has the name.
        """
        folder = None if dir is None else os.fspath(dir)
        if folder is not None and not self._door.distant:
            folder = os.path.abspath(folder)
        body = _given(name=name, profile=profile, backend=backend, network=network, dir=folder)
        body.update(_given(description=description, ttl_seconds=ttl))
        body.update(allow=list(allow), deny=list(deny), mounts=list(mounts), ports=list(ports))
        body.update(env=dict(env or {}), limits=dict(limits or {}), labels=dict(labels or {}))
        body.update(started=started, **self._caller())
        made = self._connections.ask_once("POST", "/sandboxes", body)
        return Sandbox(self._connections, made["name"], temporary=name is None)

    def get_sandbox(self, name: str) -> Sandbox:
        """The sandbox of this name.

        Raises:
            SandboxNotFound: There is none.
        """
        found = Sandbox(self._connections, name)
        found.info()
        return found

    def list_sandboxes(self, labels: Mapping[str, str] | None = None) -> List[SandboxInfo]:
        """All sandboxes that have these labels, oldest first."""
        wanted = "&".join(query(label=f"{k}={v}")[1:] for k, v in (labels or {}).items())
        answer = self._connections.ask("GET", f"/sandboxes?{wanted}" if wanted else "/sandboxes")
        return [SandboxInfo.from_dict(sandbox) for sandbox in answer["sandboxes"]]

    def remove_sandbox(self, name: str) -> bool:
        """Ends a sandbox and removes its files. False if there was none."""
        return Sandbox(self._connections, name).remove()

    # Executions

    def execute(
        self,
        kernel: Kernel,
        code: str,
        *,
        language: str = "python",
        timeout: float | None = None,
        output_limit: int | None = None,
        execution_id: str | None = None,
        rollback: str | None = None,
        preview: bool = False,
        images_dir: str | os.PathLike[str] | None = None,
    ) -> ExecutionResult:
        """Runs code in a kernel and waits for the result.

        Ctrl-C, or any other exception that ends the waiting, cancels the execution.

        Args:
            kernel: A record, an id or a name; a name that nobody has is made.
            code: What to run.
            language: ``python`` (the kernel's own language) or ``bash``.
            timeout: Seconds it may run before it is interrupted; 0 for ever, None for the setting.
            output_limit: Characters kept per field; 0 for all, None for the setting.
            execution_id: 32 hexadecimal digits by which `result` and `cancel` find it.
            rollback: When variables and files go back to what they were before the code: ``on_error``,
                ``always`` or ``never``; the result says whether they did.
            preview: Tell what it did in ``result.effects``, and leave open whether that stays: until `keep`
                or `discard`. With ``rollback="always"`` it is discarded at once.
            images_dir: A folder here, made if need be, where pictures are saved; the result then has their
                paths instead of their contents in ``outputs``.

        Raises:
            KernelNotFound: The record's kernel was destroyed.
        """
        result = self._execution(
            kernel, code, language, timeout, output_limit, execution_id, False, rollback, preview
        ).run()
        return result if images_dir is None else result.with_images_in(images_dir)

    def stream(
        self,
        kernel: Kernel,
        code: str,
        *,
        language: str = "python",
        timeout: float | None = None,
        output_limit: int | None = None,
        execution_id: str | None = None,
        rollback: str | None = None,
        preview: bool = False,
    ) -> Iterator[Event]:
        """Runs code and gives its events as they happen, `Ended` with the result last.

        The code is sent when the first event is asked for. A caller who does not read holds the kernel
        back; one who leaves the loop cancels the code.
        """
        return self._execution(
            kernel, code, language, timeout, output_limit, execution_id, False, rollback, preview
        ).events()

    def execute_with_retry(
        self,
        kernel: Kernel,
        code: str,
        on_error_fn: OnError,
        *,
        max_attempts: int | None = None,
        language: str = "python",
        timeout: float | None = None,
        output_limit: int | None = None,
        rollback: bool | str = False,
    ) -> ExecutionResult:
        """Runs code until it succeeds, asking ``on_error_fn`` after each failure what to run next.

        ``on_error_fn(result, attempt)`` gives new code, or None to run the same again; what it raises
        comes through. A timeout is a failure too; ``result.error`` then says so, but may be None.

        With ``rollback`` every attempt begins with the variables and files that the first began with.

        Returns:
            The last attempt's result with all attempts in it; its status is ``max_attempts_exceeded``
            when none succeeded.
        """


        def attempt(code: str) -> ExecutionResult:
            return self.attempt(kernel, code, language, timeout, output_limit, rollback).run()

        return retry(code, self.attempts(max_attempts), attempt, on_error_fn)

    def attempts(self, wanted: int | None) -> int:
        """How often code is tried: as wanted, or as set."""
        return self._max_retries() if wanted is None else wanted

    def attempt(
        self,
        kernel: Kernel,
        code: str,
        language: str,
        timeout: float | None,
        output_limit: int | None,
        rollback: bool | str,
    ) -> RemoteExecution:
        """One try of several."""
        back = rollback if isinstance(rollback, str) else "on_error" if rollback else None
        return self._execution(
            kernel, code, language, timeout, output_limit, attempt=True, rollback=back
        )

    def result(self, execution_id: str) -> ExecutionResult:
        """The result of an execution, by whomever it was begun; waits if it still runs."""
        return await_result(self._connections, execution_id)

    def cancel(self, execution_id: str) -> bool:
        """Asks for the end of an execution. False when it has ended already."""
        answer = self._connections.ask("DELETE", execution_path(execution_id))
        return bool(answer["cancelled"])

    def _execution(
        self,
        kernel: Kernel,
        code: str,
        language: str,
        timeout: float | None,
        output_limit: int | None = None,
        execution_id: str | None = None,
        attempt: bool = False,
        rollback: str | None = None,
        preview: bool = False,
    ) -> RemoteExecution:
        if not isinstance(code, str):
            raise TypeError(f"code is {type(code).__name__}, but must be text")
        body = _given(output_limit=output_limit, timeout=_seconds("timeout", timeout))
        body.update(_given(rollback=rollback))
        body.update(code=code, language=language, attempt=attempt, preview=preview)
        body.update(create=isinstance(kernel, str), **self._caller())
        path = f"{_path(kernel)}/execute"
        return RemoteExecution(self._connections, execution_id or secrets.token_hex(16), path, body)

    # How it is reached

    def _find_door(self, url: str | None, api_key: str | None, ca_file: str | None) -> Door:
        environ = self._environ()
        url = url or environ.get("HUSK_URL", "").strip()
        if url:
            key = api_key or environ.get("HUSK_API_KEY", "").strip() or None
            ca = ca_file or environ.get("HUSK_CA_FILE", "").strip() or None
            return ServerDoor(url, key, ca)
        return LocalDoor(DaemonDoor(Locations.of(environ), environ))

    def _environ(self) -> Mapping[str, str]:
        environ = os.environ if self._given_environ is None else self._given_environ
        return {**environ, **self._config.variables()} if self._config else dict(environ)

    def _caller(self) -> Mapping[str, Any]:
        """Looked at anew for every call, as the directory and the settings may change."""
        if self._door.distant:
            return _given(client=environment.of_distant_caller(self._environ()))
        told = environment.of_caller(self._environ(), environment.working_directory())
        return {"client": told}

    def _max_retries(self) -> int:
        environ = self._environ()
        said = environment.first(environ, "HUSK_MAX_RETRIES", "KERNELBOX_MAX_RETRIES")
        if said or self._door.distant:
            return KernelBoxConfig.from_env(environ).max_retries
        shown = self._connections.ask("POST", "/config/show", self._caller())
        return next(int(s["value"]) for s in shown["settings"] if s["key"] == "max-retries")


def _path(kernel: Kernel) -> str:
    if isinstance(kernel, KernelRecord):
        return kernel_path(kernel.kernel_id)
    if isinstance(kernel, str):
        return kernel_path(kernel)
    raise TypeError(f"a kernel is given by its record, name or id, not by {type(kernel).__name__}")


def _options(
    cwd: str | os.PathLike[str] | None,
    env: Mapping[str, str] | None,
    python: str | os.PathLike[str] | None,
    kernel: str | None,
    tags: Mapping[str, str] | None,
    startup_code: str | None,
    idle_timeout: float | None,
) -> dict[str, Any]:
    return _given(
        cwd=None if cwd is None else os.fspath(cwd),
        env=None if env is None else dict(env),
        python=None if python is None else os.fspath(python),
        kernel=kernel,
        tags=None if tags is None else dict(tags),
        startup_code=startup_code,
        idle_timeout=_seconds("idle_timeout", idle_timeout),
    )


def _place(
    backend: str | None,
    profile: str | None,
    sandbox: str | Sandbox | None,
    live_state: bool | None,
    limits: Mapping[str, int] | None,
) -> dict[str, Any]:
    shared = sandbox.name if isinstance(sandbox, Sandbox) else sandbox
    held = None if limits is None else dict(limits)
    return _given(
        backend=backend, profile=profile, sandbox=shared, live_state=live_state, limits=held
    )


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _seconds(name: str, value: float | None) -> float | None:
    """Refuses what is no length of time; an infinite one is spelled 0."""
    if value is None:
        return None
    if math.isnan(value) or value < 0:
        raise InvalidRequest(f"{name} is {value}, which is no length of time", ["0 means no limit"])
    return 0 if math.isinf(value) else value
