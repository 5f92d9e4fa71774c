"""The wire: busy and idle, control while busy, bad input, shutdown."""

import hashlib
import hmac
import json
import os
import time

import zmq
from harness import PATIENCE, Kernel, wait_until


def states(messages):
    return [m["content"]["execution_state"] for m in messages if m["msg_type"] == "status"]


def raw_socket(kernel, kind, port):
    context = zmq.Context()
    socket = context.socket(kind)
    socket.linger = 0
    socket.connect("ipc://%s-%d" % (os.path.join(kernel.directory, "k"), port))
    return context, socket


def test_every_request_is_busy_then_idle(kernel):
    requests = [("kernel_info_request", {}), ("complete_request", {"code": "a", "cursor_pos": 1}), ("connect_request", {})]
    requests += [("history_request", {"hist_access_type": "tail"}), ("no_such_request", {}), ("comm_info_request", {})]
    for channel in (kernel.client.shell_channel, kernel.client.control_channel):
        for msg_type, content in requests:
            message = kernel.client.session.msg(msg_type, content)
            channel.send(message)
            seen = kernel.read_iopub(message["header"]["msg_id"])
            assert states(seen) == ["busy", "idle"]
            assert seen[0]["parent_header"]["msg_type"] == msg_type


def test_kernel_info_describes_the_kernel(kernel):
    for channel in ("shell", "control"):
        info = kernel.ask("kernel_info_request", channel=channel)
        assert (info["status"], info["implementation"], info["protocol_version"]) == ("ok", "husk", "5.4")
        assert info["language_info"]["name"] == "python" and info["language_info"]["file_extension"] == ".py"
        assert info["supported_features"] == [] and info["debugger"] is False


def test_connect_tells_the_ports(kernel):
    assert kernel.ask("connect_request")["shell_port"] == 1


def test_debugging_is_refused_politely(kernel):
    reply = kernel.ask("debug_request", {"seq": 7, "command": "initialize"}, channel="control")
    assert reply["success"] is False and reply["request_seq"] == 7 and reply["message"]


def test_each_subscriber_is_welcomed_on_its_topic(kernel):
    for topic in (b"", b"status", b""):
        context, socket = raw_socket(kernel, zmq.SUB, 2)
        socket.subscribe(topic)
        assert socket.poll(PATIENCE * 1000)
        frames = socket.recv_multipart()
        assert frames[0] == topic
        assert json.loads(frames[3])["msg_type"] == "iopub_welcome"
        assert json.loads(frames[6]) == {"subscription": topic.decode()}
        socket.close()
        context.term()


def test_the_heartbeat_echoes_even_while_a_cell_runs(kernel):
    msg_id = kernel.start("print('on')\nwhile True: pass")
    kernel.wait_for_text("on")
    context, socket = raw_socket(kernel, zmq.REQ, 5)
    for word in (b"ping", b"pong"):
        socket.send(word)
        assert socket.poll(PATIENCE * 1000) and socket.recv() == word
    socket.close()
    context.term()
    kernel.interrupt()
    kernel.finish(msg_id)


def test_control_answers_while_a_cell_runs(kernel):
    msg_id = kernel.start("print('on')\nwhile True: pass")
    kernel.wait_for_text("on")
    assert kernel.ask("kernel_info_request", channel="control")["status"] == "ok"
    state = kernel.ask("husk_state_request", channel="control")
    assert (state["execution_state"], state["current"], state["pid"]) == ("busy", msg_id, kernel.pid)
    kernel.interrupt()
    kernel.finish(msg_id)
    state = kernel.ask("husk_state_request", channel="control")
    assert (state["execution_state"], state["current"], state["execution_count"]) == ("idle", None, 1)


def signed(kernel, parts):
    with open(kernel.request["connection_file"]) as file:
        key = json.load(file)["key"].encode()
    return hmac.new(key, b"".join(parts), hashlib.sha256).hexdigest().encode()


def test_bad_messages_are_dropped_and_logged(kernel):
    header = json.dumps({"msg_id": "1", "msg_type": "kernel_info_request"}).encode()
    good = [header, b"{}", b"{}", b"{}"]
    bad = [
        [b"nothing"],
        [b"<IDS|MSG>"],
        [b"<IDS|MSG>", b"sig", header],
        [b"<IDS|MSG>", b"0" * 64] + good,
        [b"<IDS|MSG>", b""] + good,
    ]
    for parts in (
        [b"{", b"{}", b"{}", b"{}"],
        [b"[]", b"{}", b"{}", b"{}"],
        [b"{}", b"{}", b"{}", b"{}"],
        [header, b"{}", b"{}", b"\xff"],
        [header, b"{}", b"{}", b"[" * 100_000],
        [b'{"msg_id": 5, "msg_type": "x"}', b"{}", b"{}", b"{}"],
    ):
        bad.append([b"<IDS|MSG>", signed(kernel, parts)] + parts)
    for port in (1, 4):
        context, socket = raw_socket(kernel, zmq.DEALER, port)
        for frames in bad:
            socket.send_multipart(frames)
        socket.send_multipart([b"<IDS|MSG>", signed(kernel, good)] + good)
        assert socket.poll(PATIENCE * 1000)
        assert json.loads(socket.recv_multipart()[2])["msg_type"] == "kernel_info_reply"
        socket.close()
        context.term()
    assert kernel.log().count("dropped a message") == 2 * len(bad)
    assert kernel.run("1").status == "ok"


def test_unknown_requests_are_logged(kernel):
    message = kernel.client.session.msg("dance_request", {})
    kernel.client.shell_channel.send(message)
    kernel.read_iopub(message["header"]["msg_id"])
    assert "dance_request" in kernel.log()


def test_tcp_works_as_well_as_ipc(spawn):
    kernel = spawn(transport="tcp")
    assert kernel.run("1 + 1").value == "2"


def test_two_clients_share_one_kernel(kernel):
    second = Kernel(kernel.parent, kernel.request, {"pid": kernel.pid, "start_time": kernel.start_time})
    kernel.run("shared = 5")
    assert second.run("shared").value == "5"
    second.disconnect()


def test_shutdown_on_control_replies_publishes_and_exits(kernel, tmp_path):
    kernel.run("import atexit; atexit.register(lambda: (print('farewell'), open(%r, 'w').close()))" % str(tmp_path / "ran"))
    reply = kernel.ask("shutdown_request", {"restart": True}, channel="control")
    assert reply == {"status": "ok", "restart": True}
    published = kernel.read_until(lambda m: "farewell" in m["content"].get("text", ""))
    assert [m["content"] for m in published if m["msg_type"] == "shutdown_reply"] == [reply]
    assert kernel.exit_event()["exit_code"] == 0
    assert (tmp_path / "ran").exists()


def test_shutdown_on_shell_replies_and_exits(kernel):
    assert kernel.ask("shutdown_request", {"restart": False}) == {"status": "ok", "restart": False}
    assert kernel.exit_event()["exit_code"] == 0


def test_shutdown_ends_a_running_cell(kernel):
    msg_id = kernel.start("print('on')\nwhile True: pass")
    kernel.wait_for_text("on")
    kernel.ask("shutdown_request", {"restart": False}, channel="control")
    assert kernel.shell_reply(msg_id)["content"]["ename"] == "KeyboardInterrupt"
    assert kernel.exit_event()["exit_code"] == 0


def test_shutdown_ends_a_cell_that_refuses_to_stop(kernel):
    kernel.start("import time\nprint('on')\nwhile True:\n    try: time.sleep(1)\n    except KeyboardInterrupt: pass")
    kernel.wait_for_text("on")
    kernel.ask("shutdown_request", {"restart": False}, channel="control")
    assert kernel.exit_event()["exit_code"] == 0


def test_shutdown_removes_the_sockets(kernel):
    kernel.ask("shutdown_request", {"restart": False}, channel="control")
    kernel.exit_event()
    assert not [name for name in os.listdir(kernel.directory) if name.startswith("k-")]


def test_a_client_that_leaves_in_the_middle_of_a_cell_does_no_harm(kernel):
    second = Kernel(kernel.parent, kernel.request, {"pid": kernel.pid, "start_time": kernel.start_time})
    second.start("import time\nfor i in range(20):\n    print(i); time.sleep(0.02)\nfinished = True")
    second.disconnect()
    wait_until(lambda: kernel.run("'finished' in globals()").value == "True", "the cell has finished")


def test_an_idle_kernel_uses_no_processor_time(kernel):
    kernel.run("1")

    def ticks():
        with open("/proc/%d/stat" % kernel.pid) as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    before = ticks()
    time.sleep(1)
    assert ticks() - before <= 5
