"""The journal: what an execution said, for a client that was away."""

JOURNAL = {"husk": {"journal": True}}
ONCE = {"husk": {"journal": True, "once": True}}


def look_up(kernel, msg_id):
    return kernel.ask("husk_execution_request", {"msg_id": msg_id}, channel="control")


def test_a_finished_execution_is_remembered(kernel):
    msg_id = kernel.start("print('hello'); display('x'); 1/0", metadata=JOURNAL)
    result = kernel.finish(msg_id)
    found = look_up(kernel, msg_id)
    assert (found["status"], found["state"], found["truncated"]) == ("ok", "finished", False)
    assert [(m["msg_type"], m["content"]) for m in found["messages"]] == result.messages
    assert found["reply"] == result.reply and found["started"] <= found["ended"]


def test_a_running_execution_is_remembered_so_far(kernel):
    msg_id = kernel.start("print('so far')\nwhile True: pass", metadata=JOURNAL)
    kernel.wait_for_text("so far")
    found = look_up(kernel, msg_id)
    assert (found["state"], found["reply"], found["ended"]) == ("running", None, None)
    assert found["messages"] == [{"msg_type": "stream", "content": {"name": "stdout", "text": "so far\n"}}]
    kernel.interrupt()
    kernel.finish(msg_id)


def test_executions_that_do_not_ask_are_not_remembered(kernel):
    msg_id = kernel.start("print('x')")
    kernel.finish(msg_id)
    assert look_up(kernel, msg_id)["state"] == "unknown"
    assert look_up(kernel, None)["state"] == "unknown"


def test_a_long_output_is_cut_and_said_to_be(kernel):
    msg_id = kernel.start("print('x' * 3_000_000)", metadata=JOURNAL)
    assert len(kernel.finish(msg_id).stdout) == 3_000_001
    found = look_up(kernel, msg_id)
    size = sum(len(m["content"]["text"]) for m in found["messages"])
    assert found["truncated"] is True and 900_000 < size <= 1024 * 1024 and found["reply"]["status"] == "ok"


def test_the_last_eight_are_kept(kernel):
    ids = [kernel.start("%d" % i, metadata=JOURNAL) for i in range(10)]
    for msg_id in ids:
        kernel.finish(msg_id)
    assert [look_up(kernel, i)["state"] for i in ids] == ["unknown"] * 2 + ["finished"] * 8


def test_an_aborted_execution_is_remembered_as_such(kernel):
    first = kernel.start("import time; time.sleep(0.5); 1/0")
    second = kernel.start("1", metadata=JOURNAL)
    kernel.finish(first)
    kernel.finish(second)
    assert look_up(kernel, second)["reply"] == {"status": "aborted"}


def test_an_execution_without_any_client_is_remembered(kernel):
    msg_id = kernel.start("import time; time.sleep(0.3); print('alone'); 5", metadata=JOURNAL)
    kernel.disconnect()
    kernel.client = kernel.connect()
    while look_up(kernel, msg_id)["state"] != "finished":
        pass
    assert [m["msg_type"] for m in look_up(kernel, msg_id)["messages"]] == ["stream", "execute_result"]


def test_what_is_sent_twice_runs_once_and_is_answered_twice(kernel):
    sent = kernel.request_for("runs = globals().get('runs', 0) + 1; print('ran'); runs", metadata=ONCE)
    first, again = kernel.finish(kernel.send(sent)), kernel.finish(kernel.send(sent))
    assert (again.messages, again.reply) == (first.messages, first.reply)
    assert kernel.run("runs").value == "1"
    assert len(look_up(kernel, sent["header"]["msg_id"])["messages"]) == 2


def test_what_was_run_long_ago_does_not_run_again(kernel):
    sent = kernel.request_for("runs = globals().get('runs', 0) + 1", metadata=ONCE)
    kernel.finish(kernel.send(sent))
    for _ in range(10):
        kernel.finish(kernel.start("1", metadata=ONCE))
    again = kernel.finish(kernel.send(sent))
    assert again.reply["status"] == "error" and "no longer kept" in again.reply["evalue"]
    assert kernel.run("runs").value == "1"


def test_clients_may_use_one_id_for_everything(kernel):
    sent = kernel.request_for("runs = globals().get('runs', 0) + 1; runs", metadata=JOURNAL)
    assert [kernel.finish(kernel.send(sent)).value for _ in range(3)] == ["1", "2", "3"]
