"""The warm parent: its protocol, what it forks, and when it leaves."""

import json
import os
import signal
import socket
import subprocess
import sys

from harness import PYTHON, ParentConnection, WarmParent, process_exists, wait_until


def test_hello_tells_what_the_parent_is(parent):
    hello = parent.connection.ask(op="hello")
    probe = [PYTHON, "-c", "import sys, platform; print(platform.python_version(), sys.executable, sys.prefix)"]
    expected = subprocess.check_output(probe, text=True).split()
    assert hello["ok"] is True
    assert [hello["python"], hello["executable"], hello["prefix"]] == expected
    assert hello["pid"] == parent.process.pid
    assert hello["kernels"] == [] and hello["preloaded"] == [] and hello["preload_errors"] == {}
    assert hello["ipython"] and hello["pyzmq"]


def test_hello_lists_the_kernels_that_live(parent):
    kernel = parent.spawn()
    expected = {"kernel_id": kernel.kernel_id, "pid": kernel.pid, "start_time": kernel.start_time}
    assert parent.connection.ask(op="hello")["kernels"] == [expected]


def test_preloads_are_reported_with_their_failures():
    parent = WarmParent("--preload", "decimal,no_such_module_here")
    try:
        hello = parent.connection.ask(op="hello")
        assert hello["preloaded"] == ["decimal"]
        assert "no_such_module_here" in hello["preload_errors"]["no_such_module_here"]
        assert "no_such_module_here" in parent.log()
        assert parent.spawn().run("import sys; 'decimal' in sys.modules").value == "True"
    finally:
        parent.close()


def test_the_parent_has_one_thread_and_only_its_user_can_connect(parent):
    assert len(os.listdir("/proc/%d/task" % parent.process.pid)) == 1
    assert os.stat(parent.path).st_mode & 0o777 == 0o600


def test_a_stale_socket_is_replaced_and_removed_at_the_end():
    parent = WarmParent()
    os.kill(parent.process.pid, signal.SIGKILL)
    parent.process.wait()
    assert os.path.exists(parent.path)
    again = subprocess.Popen(
        [PYTHON, "-B", os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "zygote.py")]
        + ["--socket", parent.path, "--log", parent.log_path, "--linger", "0.1"],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )

    def answers():
        try:
            connection = ParentConnection(parent.path)
        except OSError:
            return False
        pid = connection.ask(op="hello")["pid"]
        connection.close()
        return pid == again.pid

    wait_until(answers, "the second parent answers")
    assert again.wait(60) == 0
    assert not os.path.exists(parent.path)
    parent.close()


def test_malformed_requests_are_refused_and_do_no_harm(parent):
    connection = parent.connection
    bad = [b"not json\n", b"[1, 2]\n", b'{"id": 1}\n', b'{"id": 2, "op": "dance"}\n', b'{"id": 3, "op": ["x"]}\n']
    bad += [b'{"id": 4, "op": "spawn"}\n', b'{"id": 5, "op": "spawn", "kernel_id": 7}\n', b"\xff\xfe\n"]
    for line in bad:
        connection.send_raw(line)
        answer = connection.read()
        assert answer["ok"] is False and answer["error"]["code"] and answer["error"]["message"]
    assert connection.ask(op="hello")["ok"]


def test_clients_that_vanish_do_no_harm(parent):
    for _ in range(5):
        leaving = socket.socket(socket.AF_UNIX)
        leaving.connect(parent.path)
        leaving.sendall(json.dumps(dict(parent.prepare(), id=1)).encode() + b"\n" + b'{"half": ')
        leaving.close()
    wait_until(lambda: len(parent.connection.ask(op="hello")["kernels"]) == 5, "the abandoned kernels are ready")
    for kernel in parent.connection.ask(op="hello")["kernels"]:
        os.kill(kernel["pid"], signal.SIGKILL)
    wait_until(lambda: parent.connection.ask(op="hello")["kernels"] == [], "they are gone")


def test_a_burst_of_kernels_all_start(parent):
    requests = [parent.prepare() for _ in range(30)]
    ids = [parent.connection.send(**request) for request in requests]
    kernels = [parent.adopt(request, parent.connection.answer(i)) for request, i in zip(requests, ids)]
    assert len({kernel.pid for kernel in kernels}) == 30
    assert [kernel.run("6 * 7").value for kernel in kernels] == ["42"] * 30


def test_a_missing_working_directory_is_refused_by_name(parent):
    answer = parent.connection.ask(**dict(parent.prepare(), cwd="/no/such/place"))
    assert answer["error"]["code"] == "spawn_failed"
    assert "/no/such/place" in answer["error"]["message"]
    assert parent.connection.ask(op="hello")["kernels"] == []


def test_a_missing_connection_file_is_refused_by_name(parent):
    answer = parent.connection.ask(**dict(parent.prepare(), connection_file="/no/such/file.json"))
    assert answer["ok"] is False and "/no/such/file.json" in answer["error"]["message"]


def test_a_kernel_id_in_use_is_refused(parent):
    kernel = parent.spawn()
    answer = parent.connection.ask(**dict(parent.prepare(), kernel_id=kernel.kernel_id))
    assert answer["error"]["code"] == "kernel_exists"


def test_the_end_of_a_kernel_is_told_to_every_client_and_written_down(parent):
    kernel, other = parent.spawn(), ParentConnection(parent.path)
    assert other.ask(op="hello")["ok"]
    kernel.start("import os; os._exit(7)")
    event = kernel.exit_event()
    assert (event["pid"], event["exit_code"], event["signal"], event["core"]) == (kernel.pid, 7, None, False)
    assert event["max_rss_kb"] > 0 and event["ended_at"]
    assert other.exit_event(kernel.kernel_id) == event
    with open(os.path.join(kernel.directory, "exit.json")) as file:
        written = json.load(file)
    assert dict(written, event="exit", kernel_id=kernel.kernel_id) == event
    other.close()


def test_a_kernel_killed_by_a_signal_is_reported_with_the_signal(parent):
    kernel = parent.spawn()
    os.kill(kernel.pid, signal.SIGKILL)
    event = kernel.exit_event()
    assert (event["exit_code"], event["signal"]) == (None, signal.SIGKILL)


def test_the_end_of_a_kernel_whose_directory_is_gone_is_still_told(parent):
    kernel = parent.spawn()
    subprocess.check_call(["rm", "-rf", kernel.directory])
    os.kill(kernel.pid, signal.SIGKILL)
    assert kernel.exit_event()["signal"] == signal.SIGKILL
    assert not os.path.exists(kernel.directory)


def test_orphans_of_a_dead_kernel_are_reaped(parent):
    kernel = parent.spawn()
    orphan = int(kernel.run("import subprocess; subprocess.Popen(['sleep', '1000']).pid").value)
    os.kill(kernel.pid, signal.SIGKILL)
    kernel.exit_event()
    os.kill(orphan, signal.SIGKILL)
    wait_until(lambda: not os.path.exists("/proc/%d" % orphan), "the orphan is reaped")


def test_the_parent_stays_while_a_kernel_lives_and_leaves_after_it():
    parent = WarmParent(linger="0.2")
    kernel = parent.spawn()
    parent.connection.close()
    parent._connection = None
    assert kernel.run("import time; time.sleep(1); 'still here'").value == "'still here'"
    assert parent.process.poll() is None
    os.kill(kernel.pid, signal.SIGKILL)
    assert parent.process.wait(60) == 0
    assert not os.path.exists(parent.path)
    parent.close()


def test_sigterm_ends_the_parent_and_spares_its_kernels():
    parent = WarmParent()
    kernel = parent.spawn()
    parent.process.terminate()
    assert parent.process.wait(60) == 0
    assert not os.path.exists(parent.path)
    assert kernel.run("'alive'").value == "'alive'"
    os.kill(kernel.pid, signal.SIGKILL)
    wait_until(lambda: not process_exists(kernel.pid), "the kernel is gone")
    parent.close()


def exec_request(parent, argv, **changes):
    request = parent.prepare()
    request.pop("connection_file")
    return dict(request, op="exec", argv=argv, **changes)


def test_exec_runs_a_program_with_its_own_session_directory_and_environment(parent):
    request = exec_request(parent, ["sh", "-c", "pwd; echo $COLOUR; readlink /proc/self/fd/0; echo oops >&2; ls /proc/self/fd; exit 3"])
    request["env"]["COLOUR"] = "green"
    answer = parent.connection.ask(**request)
    assert answer["ok"] and answer["pid"] and answer["start_time"]
    assert parent.connection.exit_event(request["kernel_id"])["exit_code"] == 3
    with open(os.path.join(request["directory"], "log")) as file:
        lines = file.read().split()
    assert lines[:4] == [request["cwd"], "green", "/dev/null", "oops"]
    assert lines[4:] == ["0", "1", "2", "3"]  # 3 is the descriptor with which ls reads the folder


def test_exec_of_a_missing_program_is_refused_by_name(parent):
    answer = parent.connection.ask(**exec_request(parent, ["/no/such/program", "x"]))
    assert answer["error"]["code"] == "spawn_failed" and "/no/such/program" in answer["error"]["message"]


def test_exec_in_a_missing_working_directory_is_refused_by_name(parent):
    answer = parent.connection.ask(**exec_request(parent, ["true"], cwd="/no/such/place"))
    assert answer["error"]["code"] == "spawn_failed" and "/no/such/place" in answer["error"]["message"]


def test_exec_can_run_another_kind_of_kernel(parent):
    request = parent.prepare()
    entry = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "kernel_main.py")
    request.update(op="exec", argv=[PYTHON, entry, "-f", request["connection_file"]])
    kernel = parent.adopt(request, parent.connection.ask(**request))
    assert kernel.run("1 + 1").value == "2"


def test_tests_run_on_a_supported_python():
    assert sys.version_info >= (3, 9)


def test_a_kernel_whose_starter_is_gone_makes_room_for_the_one_that_is_started_now(parent):
    starter = ParentConnection(parent.path)
    request = parent.prepare()
    first = starter.ask(**request)
    starter.close()
    again = parent.connection.ask(**request)
    assert again["ok"] and again["pid"] != first["pid"]
    wait_until(lambda: not process_exists(first["pid"]), "the first has ended")
    assert parent.adopt(request, again).run("6 * 7").value == "42"
