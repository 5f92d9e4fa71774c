"""The channels themselves: who hears what, when, and what a bad client can and cannot do."""

import asyncio
import json
import pathlib

import pytest
from websockets.exceptions import InvalidStatus

import rest
from channels import Channels, kinds, text
from frames import V1

BOTH = pytest.mark.parametrize("protocol", ["", V1], ids=["default", "v1"])

ECHO = """
import comm
def echo(it, opened):
    def answer(message):
        it.send(message['content']['data'], buffers=[bytes(b)[::-1] for b in message['buffers']])
    it.on_msg(answer)
comm.get_comm_manager().register_target('echo', echo)
"""


def waiting_for(sign: pathlib.Path) -> str:
    """A cell that goes on when the file is there."""
    lines = (
        "import os, time",
        "print('before', flush=True)",
        f"while not os.path.exists({str(sign)!r}): time.sleep(0.01)",
        "print('after')",
        "6 * 7",
    )
    return "\n".join(lines)


async def until(client, wanted) -> list:
    heard = []
    while not heard or not wanted(heard[-1]):
        heard.append(await client.read())
        assert heard[-1] is not None, f"closed after {kinds(heard[:-1])}"
    return heard


def is_idle(message: dict, asked: str) -> bool:
    of_this = message["parent_header"].get("msg_id") == asked
    return of_this and message["content"].get("execution_state") == "idle"


@BOTH
async def test_the_sub_protocol_is_the_one_asked_for(server, kernel, protocol):
    client = await Channels.open(server, kernel, protocol=protocol)
    assert (client.subprotocol or "") == protocol
    await client.leave()


@BOTH
async def test_a_cells_messages_come_in_their_order(server, kernel, protocol):
    client = await Channels.open(server, kernel, protocol=protocol)
    heard = await client.answers(await client.execute("print('one')\n2"))
    await client.leave()
    published = [m for m in heard if m["channel"] == "iopub"]
    assert kinds(published) == ["status", "execute_input", "stream", "execute_result", "status"]
    assert kinds([m for m in heard if m["channel"] == "shell"]) == ["execute_reply"]


@BOTH
async def test_buffers_pass_both_ways(server, kernel, protocol):
    client = await Channels.open(server, kernel, protocol=protocol)
    await client.answers(await client.execute(ECHO))
    opening = {"comm_id": "c1", "target_name": "echo", "data": {}}
    await client.send("comm_open", opening)
    buffers = [bytes(range(256)) * 1000, b"", b"end"]
    await client.send("comm_msg", {"comm_id": "c1", "data": {"n": 1}}, buffers=buffers)
    heard = await until(client, lambda m: m["header"]["msg_type"] == "comm_msg")
    await client.leave()
    assert [bytes(b) for b in heard[-1]["buffers"]] == [b[::-1] for b in buffers]


@pytest.mark.beyond_stock("a stock gateway takes no message above 10 MiB")
@BOTH
async def test_messages_above_ten_mebibytes_pass_both_ways(server, kernel, protocol):
    client = await Channels.open(server, kernel, protocol=protocol)
    long = "z" * 12_000_000
    heard = await client.answers(await client.execute(f"given = '{long}'\ngiven"))
    await client.leave()
    (value,) = [m for m in heard if m["header"]["msg_type"] == "execute_result"]
    assert value["content"]["data"]["text/plain"] == repr(long)


async def test_everybody_hears_the_output_and_only_the_asker_the_reply(server, kernel):
    first, second = [await Channels.open(server, kernel) for _ in range(2)]
    for client in (first, second):
        await client.answers(await client.send("kernel_info_request", {}))
    asked = await first.execute("print('for all')")
    assert text(await first.answers(asked)) == "for all\n"
    overheard = []
    own = await second.execute("pass")
    async with asyncio.timeout(60):
        while not overheard or overheard[-1]["parent_header"].get("msg_id") != own:
            overheard.append(await second.read())
    of_the_other = [m for m in overheard if m["parent_header"].get("msg_id") == asked]
    assert text(of_the_other) == "for all\n"
    assert "execute_reply" not in kinds(of_the_other)
    await first.leave()
    await second.leave()


@pytest.mark.beyond_stock("a stock gateway drops output above 1 MB/s")
async def test_a_client_that_does_not_read_holds_nobody_back_and_misses_nothing(server, kernel):
    silent = await Channels.open(server, kernel, small=True)
    await silent.answers(await silent.send("kernel_info_request", {}))
    talker = await Channels.open(server, kernel)
    asked = await talker.execute("for i in range(300_000): print('%08d' % i + 'x' * 91)")
    expected = "".join("%08d" % i + "x" * 91 + "\n" for i in range(300_000))
    assert text(await talker.answers(asked)) == expected
    heard = await until(silent, lambda m: is_idle(m, asked))
    assert text(heard) == expected
    await silent.leave()
    await talker.leave()


async def test_who_comes_back_with_its_session_gets_what_it_missed(server, kernel, tmp_path):
    """What it left without having confirmed may come again; each message has its id."""
    sign = tmp_path / "go"
    client = await Channels.open(server, kernel)
    asked = await client.execute(waiting_for(sign))
    heard = await until(client, lambda m: m["header"]["msg_type"] == "stream")
    heard += await client.leave()
    sign.touch()
    await idle(server, kernel)
    again = await Channels.open(server, kernel, session=client.session)
    heard += await again.answers(asked)
    await again.leave()
    heard = list({message["header"]["msg_id"]: message for message in heard}.values())
    assert text(heard) == "before\nafter\n"
    assert kinds(heard).count("execute_reply") == 1
    assert kinds(heard).count("execute_result") == 1


@pytest.mark.beyond_stock("a stock gateway asks for no confirmation")
async def test_what_a_client_has_confirmed_does_not_come_again(server, kernel):
    client = await Channels.open(server, kernel)
    asked = await client.execute("print('once')")
    await client.answers(asked)
    pings = client.pings
    async with asyncio.timeout(60):
        while client.pings == pings:
            await client._receive()
    await client.leave()
    again = await Channels.open(server, kernel, session=client.session)
    own = await again.execute("pass")
    heard = await until(again, lambda m: is_idle(m, own))
    await again.leave()
    assert [m for m in heard if m["parent_header"].get("msg_id") == asked] == []


async def idle(server, kernel) -> None:
    async with asyncio.timeout(60):
        while rest.ask("GET", f"{server.url}/api/kernels/{kernel}")["execution_state"] != "idle":
            await asyncio.sleep(0.05)


async def test_who_comes_back_as_somebody_else_gets_nothing_old(server, kernel):
    client = await Channels.open(server, kernel)
    asked = await client.execute("print('private')")
    await client.answers(asked)
    client.drop()
    other = await Channels.open(server, kernel)
    own = await other.execute("print('mine')")
    heard = await until(other, lambda m: m["parent_header"].get("msg_id") == own)
    assert [m for m in heard if m["parent_header"].get("msg_id") == asked] == []
    await other.leave()


async def test_the_cell_of_a_client_that_vanished_goes_on(server, kernel, tmp_path):
    sign = tmp_path / "go"
    client = await Channels.open(server, kernel)
    await client.execute(waiting_for(sign) + "\nwritten = 'by the cell'")
    await until(client, lambda m: m["header"]["msg_type"] == "stream")
    client.drop()
    sign.touch()
    other = await Channels.open(server, kernel)
    assert "'by the cell'" in str(await other.answers(await other.execute("written")))
    await other.leave()


async def test_a_question_of_the_kernel_is_answered_over_the_stdin_channel(server, kernel):
    client = await Channels.open(server, kernel)
    asked = await client.execute("print('hello ' + input('who? '))", allow_stdin=True)
    heard = await until(client, lambda m: m["channel"] == "stdin")
    assert heard[-1]["content"]["prompt"] == "who? "
    await client.send("input_reply", {"value": "husk"}, channel="stdin")
    assert text(await client.answers(asked)) == "hello husk\n"
    await client.leave()


@pytest.mark.parametrize(
    "rubbish",
    [
        "not json",
        "[]",
        "{}",
        json.dumps({"channel": "nowhere", "header": {}, "content": {}}),
        json.dumps({"channel": "shell", "header": {"msg_type": 7, "msg_id": None}}),
        b"",
        b"\xff" * 100,
        b"\x00\x00\x00\x02\x00\x00\x00\x0c\xff\xff\xff\xff{}",
    ],
    ids=["text", "list", "empty", "channel", "types", "nothing", "bytes", "offsets"],
)
async def test_rubbish_harms_nobody_else(server, kernel, rubbish):
    good = await Channels.open(server, kernel)
    bad = await Channels.open(server, kernel)
    await bad.send_frame(rubbish)
    assert text(await good.answers(await good.execute("print('unharmed')"))) == "unharmed\n"
    bad.drop()
    await good.leave()


async def test_an_unknown_kernel_has_no_channels(server):
    with pytest.raises(InvalidStatus) as refused:
        await Channels.open(server, "00000000-0000-0000-0000-000000000000")
    assert refused.value.response.status_code == 404


@pytest.mark.beyond_stock("a stock gateway lets any page in")
@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Host": "evil.example:80"}],
    ids=["origin", "host"],
)
async def test_a_foreign_page_is_refused(server, kernel, headers):
    with pytest.raises(InvalidStatus) as refused:
        await Channels.open(server, kernel, headers=headers)
    assert refused.value.response.status_code in (400, 403, 421)


async def test_the_connection_outlives_one_restart_after_the_other(server, kernel):
    client = await Channels.open(server, kernel)
    for _ in range(5):
        await client.answers(await client.execute("gone = 1"))
        rest.ask("POST", f"{server.url}/api/kernels/{kernel}/restart")
        heard = await client.answers(await client.execute("gone"))
        (error,) = [m for m in heard if m["header"]["msg_type"] == "error"]
        assert error["content"]["ename"] == "NameError"
    await client.leave()


@pytest.mark.beyond_stock("a stock gateway keeps the connection open and says nothing")
async def test_the_channels_of_a_deleted_kernel_are_closed(server):
    made = rest.ask("POST", f"{server.url}/api/kernels", {"name": "python3"})["id"]
    client = await Channels.open(server, made)
    await client.answers(await client.execute("1"))
    rest.ask("DELETE", f"{server.url}/api/kernels/{made}")
    async with asyncio.timeout(60):
        while await client.read() is not None:
            pass
