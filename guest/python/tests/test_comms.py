"""Comms, alone and as ipywidgets uses them."""

import pytest

REGISTER = """
received = []
def on_open(comm, message):
    received.append(('open', message['content']['data']))
    comm.on_msg(lambda m: (received.append(('msg', m['content']['data'])), print('got it'), comm.send({'echo': 1})))
    comm.on_close(lambda m: received.append(('close', m['content']['data'])))
get_ipython().kernel.comm_manager.register_target('probe', on_open)
"""


def send(kernel, msg_type, **content):
    message = kernel.client.session.msg(msg_type, content)
    kernel.client.shell_channel.send(message)
    return kernel.read_iopub(message["header"]["msg_id"])


def test_a_client_opens_uses_and_closes_a_comm(kernel):
    kernel.run(REGISTER)
    send(kernel, "comm_open", comm_id="c1", target_name="probe", data={"a": 1})
    assert kernel.ask("comm_info_request", {"target_name": "probe"})["comms"] == {"c1": {"target_name": "probe"}}
    assert kernel.ask("comm_info_request", {"target_name": "other"})["comms"] == {}
    said = send(kernel, "comm_msg", comm_id="c1", data={"b": 2})
    kinds = [m["msg_type"] for m in said]
    assert "comm_msg" in kinds and "stream" in kinds
    assert [m["content"]["data"] for m in said if m["msg_type"] == "comm_msg"] == [{"echo": 1}]
    send(kernel, "comm_close", comm_id="c1", data={})
    assert kernel.run("received").value == "[('open', {'a': 1}), ('msg', {'b': 2}), ('close', {})]"
    assert kernel.ask("comm_info_request", {})["comms"] == {}


def test_a_comm_for_an_unknown_target_is_closed(kernel):
    said = send(kernel, "comm_open", comm_id="c2", target_name="nobody", data={})
    assert "comm_close" in [m["msg_type"] for m in said]


def test_messages_for_unknown_comms_do_no_harm(kernel):
    send(kernel, "comm_msg", comm_id="nope", data={})
    send(kernel, "comm_close", comm_id="nope", data={})
    send(kernel, "comm_msg")
    assert kernel.run("1").status == "ok"


def test_a_callback_that_never_ends_can_be_interrupted(kernel):
    kernel.run("def on_open(comm, message):\n    print('on')\n    while True: pass\nget_ipython().kernel.comm_manager.register_target('stuck', on_open)")
    message = kernel.client.session.msg("comm_open", {"comm_id": "c", "target_name": "stuck", "data": {}})
    kernel.client.shell_channel.send(message)
    kernel.wait_for_text("on")
    kernel.interrupt()
    kernel.read_iopub(message["header"]["msg_id"])
    assert kernel.run("1").status == "ok"


def test_widgets_talk_through_the_kernel(kernel):
    if kernel.run("import ipywidgets").status != "ok":
        pytest.skip("ipywidgets is not installed")
    result = kernel.run("slider = ipywidgets.IntSlider(value=3); slider")
    assert any("application/vnd.jupyter.widget-view+json" in c["data"] for c in result.of("execute_result") + result.of("display_data"))
    opened = {c["comm_id"]: c for c in result.of("comm_open")}
    comm_id = kernel.run("slider.comm.comm_id").value.strip("'")
    assert comm_id in opened
    send(kernel, "comm_msg", comm_id=comm_id, data={"method": "update", "state": {"value": 8}, "buffer_paths": []})
    assert kernel.run("slider.value").value == "8"
