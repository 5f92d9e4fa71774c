"""Drives the real warm parent over its socket, and its kernels over Jupyter's own client."""

import contextlib
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid

from jupyter_client import BlockingKernelClient

GUEST = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The interpreter under test; the tests themselves may run on another.
PYTHON = os.environ.get("HUSK_TEST_PYTHON", sys.executable)
PATIENCE = float(os.environ.get("HUSK_PATIENCE", "60"))

PORTER = os.path.join(os.path.dirname(GUEST), "agent", "build", "husk-porter.so")


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited in vain until " + what
        time.sleep(0.01)


def process_exists(pid):
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def base_environment(home):
    names = ("PATH", "LANG", "LD_LIBRARY_PATH")
    return dict({name: os.environ[name] for name in names if name in os.environ}, HOME=home)


# --- the same as another user, for whom the interpreter under test may be out of reach


def as_user(user):
    return [] if user is None else ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"]


def python_for(user):
    return PYTHON if user is None else "/usr/bin/python3"


def python_path_for(user):
    return {} if user is None else {"PYTHONPATH": packages()}


def packages():
    """Where the packages of the interpreter under test are."""
    return subprocess.check_output([PYTHON, "-c", "import IPython, os; print(os.path.dirname(os.path.dirname(IPython.__file__)))"], text=True).strip()


@contextlib.contextmanager
def acting_as(user):
    if user is None:
        yield
        return
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)


class ParentConnection:
    """One client of a warm parent."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE)
        self._socket.connect(path)
        self._lines = self._socket.makefile("rb")
        self._ids = 0
        self.events = []
        self.answers = {}

    def send(self, **request):
        self._ids += 1
        self.send_raw(json.dumps(dict(request, id=self._ids)).encode() + b"\n")
        return self._ids

    def send_raw(self, data):
        self._socket.sendall(data)

    def read(self):
        line = self._lines.readline()
        assert line, "the warm parent closed the connection"
        return json.loads(line)

    def answer(self, request_id):
        while request_id not in self.answers:
            message = self.read()
            if "event" in message:
                self.events.append(message)
            else:
                self.answers[message["id"]] = message
        return self.answers.pop(request_id)

    def ask(self, **request):
        return self.answer(self.send(**request))

    def exit_event(self, kernel_id):
        while True:
            for event in self.events:
                if event["kernel_id"] == kernel_id:
                    return event
            message = self.read()
            assert message.get("event") == "exit", message
            self.events.append(message)

    def close(self):
        self._lines.close()
        self._socket.close()


class WarmParent:
    """``user`` is who it runs as, and the interpreter is then one that every user may start."""

    def __init__(self, *options, linger="0.1", user=None, python=None):
        self.user = user
        self.folder = tempfile.mkdtemp(prefix="hk-", dir="/tmp")  # short, for socket paths
        self._give(self.folder)
        self.path = os.path.join(self.folder, "z")
        self.log_path = os.path.join(self.folder, "zygote.log")
        command = [*as_user(user), python or python_for(user), "-B", os.path.join(GUEST, "zygote.py")]
        command += ["--socket", self.path, "--log", self.log_path]
        self.process = subprocess.Popen(
            command + ["--linger", linger] + (["--porter", PORTER] if os.path.exists(PORTER) else []) + list(options),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            env=dict(base_environment(self.folder), **python_path_for(user)),
        )
        self._connection = None
        self.kernels = []

        def listening():
            assert self.process.poll() is None, self.log()
            return os.path.exists(self.path)

        wait_until(listening, "the warm parent listens")

    @property
    def connection(self):
        if self._connection is None:
            with acting_as(self.user):
                self._connection = ParentConnection(self.path)
        return self._connection

    def _give(self, *paths):
        for path in paths if self.user is not None else ():
            os.chown(path, self.user, self.user)

    def log(self):
        with open(self.log_path) as file:
            return file.read()

    def prepare(self, cwd=None, env=None, transport="ipc", housing=None):
        """A spawn request, with its directory and connection file in place."""
        kernel_id = uuid.uuid4().hex
        directory = os.path.join(self.folder, kernel_id[:8])
        os.mkdir(directory, 0o700)
        connection_file = os.path.join(directory, "kernel-%s.json" % kernel_id)
        ports = [1, 2, 3, 4, 5] if transport == "ipc" else free_ports(5)
        names = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
        connection = dict(
            zip(names, ports),
            transport=transport,
            ip=os.path.join(directory, "k") if transport == "ipc" else "127.0.0.1",
            key=uuid.uuid4().hex,
            signature_scheme="hmac-sha256",
        )
        with open(connection_file, "w") as file:
            json.dump(connection, file)
        self._give(directory, connection_file)
        environment = base_environment(self.folder)
        environment.update(env or {})
        request = {
            "op": "spawn",
            "kernel_id": kernel_id,
            "connection_file": connection_file,
            "directory": directory,
            "cwd": cwd or directory,
            "env": environment,
        }
        return dict(request, housing=housing) if housing else request

    def spawn(self, **options):
        request = self.prepare(**options)
        answer = self.connection.ask(**request)
        assert answer["ok"], answer
        return self.adopt(request, answer)

    def adopt(self, request, answer):
        kernel = Kernel(self, request, answer)
        self.kernels.append(kernel)
        return kernel

    def close(self):
        for kernel in self.kernels:
            kernel.close()
        try:
            self.connection.close()  # one that nobody ever came to waits for its first client
        except OSError:
            pass  # it has left
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def free_ports(count):
    holders = [socket.socket() for _ in range(count)]
    for holder in holders:
        holder.bind(("127.0.0.1", 0))
    ports = [holder.getsockname()[1] for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Result:
    """What one execution said."""

    def __init__(self, reply, messages):
        self.message = reply
        self.reply = reply["content"]
        self.status = self.reply["status"]
        self.all = messages
        self.messages = [(m["msg_type"], m["content"]) for m in messages if m["msg_type"] not in ("status", "execute_input")]

    def _text(self, name):
        return "".join(c["text"] for kind, c in self.messages if kind == "stream" and c["name"] == name)

    @property
    def stdout(self):
        return self._text("stdout")

    @property
    def stderr(self):
        return self._text("stderr")

    def of(self, kind):
        return [content for found, content in self.messages if found == kind]

    @property
    def value(self):
        return self.of("execute_result")[0]["data"]["text/plain"]

    @property
    def error(self):
        return self.of("error")[0]


class Kernel:
    """A kernel and one client of it."""

    def __init__(self, parent, request, answer):
        self.parent = parent
        self.request = request
        self.kernel_id = request["kernel_id"]
        self.directory = request["directory"]
        self.pid = answer["pid"]
        self.start_time = answer["start_time"]
        self.client = self.connect()

    def connect(self):
        client = BlockingKernelClient()
        client.load_connection_file(self.request["connection_file"])
        client.start_channels(hb=False)
        while client.get_iopub_msg(timeout=PATIENCE)["msg_type"] != "iopub_welcome":
            pass
        return client

    def start(self, code, metadata=None, **options):
        """Sends an execute_request; returns its id."""
        return self.send(self.request_for(code, metadata, **options))

    def request_for(self, code, metadata=None, **options):
        content = dict(code=code, silent=False, store_history=True, user_expressions={}, allow_stdin=False)
        content.update(options)
        return self.client.session.msg("execute_request", content, metadata=metadata)

    def send(self, message):
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def finish(self, msg_id):
        messages = self.read_iopub(msg_id)
        return Result(self.shell_reply(msg_id), messages)

    def run(self, code, **options):
        return self.finish(self.start(code, **options))

    def read_iopub(self, msg_id):
        """Everything about one request up to its idle."""
        messages = []
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") != msg_id:
                continue
            messages.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return messages

    def read_until(self, condition):
        """iopub messages up to the first that satisfies the condition."""
        messages = []
        while True:
            messages.append(self.client.get_iopub_msg(timeout=PATIENCE))
            if condition(messages[-1]):
                return messages

    def wait_for_text(self, text):
        seen = []

        def holds(message):
            seen.append(message["content"].get("text", ""))
            return text in "".join(seen)

        return self.read_until(holds)

    def shell_reply(self, msg_id):
        while True:
            reply = self.client.get_shell_msg(timeout=PATIENCE)
            if reply["parent_header"]["msg_id"] == msg_id:
                return reply

    def ask(self, msg_type, content=None, channel="shell"):
        """Sends any request and returns the content of its reply."""
        return self.ask_message(msg_type, content, channel)["content"]

    def ask_message(self, msg_type, content=None, channel="shell"):
        message = self.client.session.msg(msg_type, content or {})
        chosen = self.client.shell_channel if channel == "shell" else self.client.control_channel
        chosen.send(message)
        while True:
            reply = chosen.get_msg(timeout=PATIENCE)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply

    def answer_input(self, value):
        """Waits for an input_request on stdin, and answers it; returns its content."""
        request = self.client.get_stdin_msg(timeout=PATIENCE)
        self.client.input(value)
        return request["content"]

    def interrupt(self):
        return self.ask("interrupt_request", channel="control")

    def log(self):
        with open(os.path.join(self.directory, "log")) as file:
            return file.read()

    def is_alive(self):
        return process_exists(self.pid)

    def exit_event(self):
        return self.parent.connection.exit_event(self.kernel_id)

    def drain(self):
        """Forgets iopub messages that have arrived."""
        try:
            while True:
                self.client.get_iopub_msg(timeout=0.2)
        except queue.Empty:
            pass

    def disconnect(self):
        self.client.stop_channels()
        self.client.context.destroy(linger=0)

    def close(self):
        self.disconnect()
        try:
            # The whole group: workers that user code forked outlive a kernel that is killed.
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
