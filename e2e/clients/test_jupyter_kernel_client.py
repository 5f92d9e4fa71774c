"""The published `jupyter_kernel_client`: the sub-protocol `v1.kernel.websocket.jupyter.org`."""

import functools
import threading
import time

import pytest
from jupyter_kernel_client import KernelClient

import rest


@pytest.fixture
def new_client(server):
    return functools.partial(KernelClient, server_url=server.url, token="")


@pytest.fixture
def client(new_client):
    with new_client() as connected:
        yield connected
        leave_soon(connected)


def leave_soon(client) -> None:
    """Its thread may miss that its socket was closed, and is otherwise waited for ten seconds."""
    client._manager.client.timeout = 0.5


def printed(answer: dict) -> str:
    return "".join(item["text"] for item in answer["outputs"] if item["output_type"] == "stream")


def test_code_gives_its_output_and_its_count(client):
    answer = client.execute("print('hello')\n6 * 7", timeout=60)
    assert answer["status"] == "ok"
    assert answer["execution_count"] == 1
    text, value = answer["outputs"]
    assert (text["name"], text["text"]) == ("stdout", "hello\n")
    assert value["data"]["text/plain"] == "42"


def test_an_error_is_an_output_of_the_cell(client):
    answer = client.execute("1 / 0", timeout=60)
    assert answer["status"] == "error"
    assert answer["outputs"][0]["ename"] == "ZeroDivisionError"


def test_kernel_info_names_the_language(client):
    client.execute("1", timeout=60)
    assert client.kernel_info["language_info"]["name"] == "python"


def test_variables_are_listed_and_read(client):
    client.execute("given = [1, 2, 3]", timeout=60)
    assert "given" in {variable["name"] for variable in client.list_variables()}
    data, _ = client.get_variable("given")
    assert data["text/plain"] == "[1, 2, 3]"


def test_input_is_answered_by_the_client(client):
    def answer(message: dict) -> None:
        assert message["content"]["prompt"] == "who? "
        client._manager.client.input("husk")

    code = "name = input('who? ')\nprint('hello ' + name)"
    outcome = client.execute(code, allow_stdin=True, stdin_hook=answer, timeout=60)
    assert printed(outcome) == "hello husk\n"


def test_an_interrupt_ends_the_cell(client, tmp_path):
    sign = tmp_path / "running"
    code = (
        f"import pathlib, time\npathlib.Path({str(sign)!r}).touch()\nwhile True: time.sleep(0.05)"
    )

    def interrupt() -> None:
        while not sign.exists():
            time.sleep(0.01)
        client.interrupt(timeout=60)

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    answer = client.execute(code, timeout=60)
    interrupter.join()
    assert answer["outputs"][-1]["ename"] == "KeyboardInterrupt"
    assert client.execute("1 + 1", timeout=60)["status"] == "ok"


def test_a_restart_keeps_the_id_and_the_connection_and_forgets_the_state(client):
    client.execute("gone = 1", timeout=60)
    before = client.id
    client.restart(timeout=60)
    assert client.id == before
    answer = client.execute("gone", timeout=60)
    assert answer["outputs"][0]["ename"] == "NameError"


def test_a_second_client_joins_the_kernel_and_leaves_it_alive(client, new_client, server):
    client.execute("shared = 'by both'", timeout=60)
    with new_client(kernel_id=client.id) as guest:
        assert (
            guest.execute("shared", timeout=60)["outputs"][0]["data"]["text/plain"] == "'by both'"
        )
        guest.execute("shared = 'changed'", timeout=60)
        leave_soon(guest)
    assert client.id in rest.kernel_ids(server.url)
    assert client.execute("print(shared)", timeout=60)["outputs"][-1]["text"] == "changed\n"


def test_stopping_the_client_deletes_its_kernel(new_client, server):
    client = new_client()
    client.start(timeout=60)
    assert rest.kernel_ids(server.url) == {client.id}
    client.stop()
    assert rest.kernel_ids(server.url) == set()


def test_completion_and_inspection_are_answered(client):
    wire = client._manager.client
    client.execute("considerable_name = 1", timeout=60)
    asked = wire.complete("considerable_n", 14)
    assert "considerable_name" in reply_to(wire, asked)["content"]["matches"]
    asked = wire.inspect("considerable_name")
    assert reply_to(wire, asked)["content"]["found"] is True


def reply_to(wire, asked: str) -> dict:
    while True:
        message = wire.get_shell_msg(timeout=60)
        if message["parent_header"].get("msg_id") == asked:
            return message
