"""ipybox's own client, as the package index has it: nothing is changed but host and port."""

import asyncio
import functools
import uuid

import pytest
from ipybox.kernel_mgr import client as ipybox
from ipybox.kernel_mgr.client import ExecutionError, ExecutionResult, KernelClient

import rest

PNG = b"\x89PNG\r\n\x1a\n"
MEGABYTE = 1_000_000
OVERTAKEN = "a stock gateway's reply can overtake the output, and this client stops at the reply"


@pytest.fixture
def new_client(server, tmp_path):
    """Makes clients that are not connected yet."""
    options = {"host": server.host, "port": server.port, "images_dir": tmp_path / "images"}
    return functools.partial(KernelClient, **options)


@pytest.fixture
async def client(new_client):
    async with new_client() as connected:
        yield connected


async def stream(client, code):
    """The chunks, and the result that has to come last."""
    *chunks, result = [item async for item in client.stream(code, timeout=120)]
    assert isinstance(result, ExecutionResult)
    return chunks, result


async def test_a_printed_line_is_the_text(client):
    result = await client.execute("print('hello')")
    assert result == ExecutionResult("hello", [])


async def test_the_last_value_follows_what_was_printed(client):
    result = await client.execute("print('printed')\n6 * 7")
    assert result.text == "printed\n42"


async def test_code_without_output_has_no_text(client):
    assert await client.execute("quiet = 1") == ExecutionResult(None, [])


async def test_standard_error_is_part_of_the_text(client):
    result = await client.execute("import sys; print('to stderr', file=sys.stderr)")
    assert result.text == "to stderr"


async def test_variables_and_imports_are_kept_between_executions(client):
    await client.execute("import math\nradius = 2")
    assert (await client.execute("round(math.pi * radius**2, 2)")).text == "12.57"


async def test_text_of_any_script_arrives_as_it_was_printed(client):
    text = 'naïve Ωmega 日本語 🦜 \u2028 \\ " tab\there'
    assert (await client.execute(f"print({text!r})")).text == text


async def test_a_chunk_arrives_before_the_cell_ends(client, tmp_path):
    """The cell goes on only when its first chunk was seen."""
    sign = tmp_path / "seen"
    code = f"""
        import os, time
        print('first', flush=True)
        while not os.path.exists({str(sign)!r}):
            time.sleep(0.01)
        print('second')
    """
    texts = []
    async for item in client.stream(f"if True:{code}", timeout=60):
        if isinstance(item, str):
            texts.append(item)
            sign.touch()
    assert "".join(texts) == "first\nsecond\n"


async def test_a_plot_is_saved_as_an_image(client):
    await client.execute("%matplotlib inline\nimport matplotlib.pyplot as plt", timeout=120)
    result = await client.execute("plt.plot([1, 4, 9]); plt.show()", timeout=120)
    (image,) = result.images
    assert image.read_bytes().startswith(PNG)


async def test_an_image_that_is_the_last_value_is_saved(client):
    code = "from IPython.display import Image\nImage(data=bytes.fromhex('{}'), format='png')"
    pixel = PNG + bytes(range(256))
    result = await client.execute(code.format(pixel.hex()))
    (image,) = result.images
    assert image.read_bytes() == pixel


async def test_an_error_carries_its_name_its_message_and_its_traceback(client):
    with pytest.raises(ExecutionError) as raised:
        await client.execute("def broken():\n    return 1 / 0\nbroken()")
    message = str(raised.value)
    assert message.startswith("ZeroDivisionError: division by zero\n")
    assert "in broken" in message
    assert "\x1b" not in message


async def test_a_syntax_error_is_an_execution_error(client):
    with pytest.raises(ExecutionError, match="SyntaxError"):
        await client.execute("return without a function(")


async def test_the_kernel_goes_on_after_an_error(client):
    await client.execute("before = 'kept'")
    with pytest.raises(ExecutionError, match="NameError"):
        await client.execute("missing")
    assert (await client.execute("before")).text == "'kept'"


async def test_chunks_before_an_error_are_streamed(client):
    texts = []
    with pytest.raises(ExecutionError, match="ValueError: late"):
        async for item in client.stream("print('early')\nraise ValueError('late')"):
            texts.append(item)
    assert "".join(texts) == "early\n"


async def test_asking_for_input_is_refused_and_does_not_block(client):
    with pytest.raises(ExecutionError, match="StdinNotImplementedError"):
        await client.execute("input('name? ')", timeout=60)
    assert (await client.execute("1 + 1")).text == "2"


async def test_a_timeout_interrupts_the_cell_and_keeps_the_state(client):
    await client.execute("import time; kept = 7")
    with pytest.raises(asyncio.TimeoutError):
        await client.execute("kept += 1\nwhile True: time.sleep(0.05)", timeout=2)
    assert (await client.execute("kept", timeout=60)).text == "8"


async def test_an_interrupt_ends_the_cell_with_keyboard_interrupt(client):
    await client.execute("import time; kept = 1")
    with pytest.raises(ExecutionError, match="KeyboardInterrupt"):
        async for item in client.stream("print('running')\nwhile True: time.sleep(0.05)", 60):
            assert item == "running\n"
            await client.interrupt()
    assert (await client.execute("kept")).text == "1"


async def test_interrupt_and_drain_leave_the_connection_usable(client):
    endless = asyncio.create_task(client.execute("while True: print('x' * 100)"))
    await asyncio.sleep(0.5)
    endless.cancel()
    await asyncio.wait([endless])
    await client.interrupt_and_drain()
    assert (await client.execute("'still here'", timeout=60)).text == "'still here'"


async def test_reset_makes_a_new_kernel_and_deletes_the_old_one(client, server):
    await client.execute("gone = 1")
    old = client.kernel_id
    await client.reset()
    assert client.kernel_id != old
    assert rest.kernel_ids(server.url) == {client.kernel_id}
    with pytest.raises(ExecutionError, match="NameError"):
        await client.execute("gone")


async def test_disconnect_deletes_the_kernel(new_client, server):
    client = new_client()
    await client.connect()
    assert client.kernel_id in rest.kernel_ids(server.url)
    await client.disconnect()
    assert rest.kernel_ids(server.url) == set()
    with pytest.raises(RuntimeError, match="Not connected"):
        client.kernel_id


async def test_the_working_directory_is_the_one_asked_for(new_client, tmp_path):
    async with new_client(working_dir=tmp_path) as client:
        assert (await client.execute("!pwd")).text == str(tmp_path)
        result = await client.execute("import os; os.chdir('/')")
        assert result.text == f"[ipybox] cwd reset to {tmp_path}"


async def test_shell_escapes_and_cell_magics_work(client):
    assert (await client.execute("!echo from the shell")).text == "from the shell"
    assert (await client.execute("%%bash\nfor i in 1 2; do echo $i; done")).text == "1\n2"


async def test_pings_are_answered_while_the_kernel_is_busy(new_client):
    async with new_client(ping_interval=2) as client:
        code = "import time; time.sleep(5); 'undisturbed'"
        assert (await client.execute(code, timeout=60)).text == "'undisturbed'"


@pytest.mark.beyond_stock(OVERTAKEN)
async def test_several_clients_have_kernels_of_their_own(new_client, server):
    async def work(number):
        async with new_client() as client:
            await client.execute(f"mine = {number}")
            values = [(await client.execute("mine * 10")).text for _ in range(5)]
            return client.kernel_id, values

    outcomes = await asyncio.gather(*(work(number) for number in range(5)))
    assert len({kernel for kernel, _ in outcomes}) == 5
    assert [values for _, values in outcomes] == [[str(number * 10)] * 5 for number in range(5)]


@pytest.mark.beyond_stock("a stock gateway drops output above 1 MB/s")
async def test_twenty_megabytes_in_lines_arrive_complete(client):
    code = "for i in range(200_000): print('%08d' % i + 'x' * 91)"
    chunks, result = await stream(client, code)
    expected = "".join("%08d" % i + "x" * 91 + "\n" for i in range(200_000))
    assert "".join(chunks) == expected
    assert result.text == expected.strip()


@pytest.mark.beyond_stock(
    "a stock gateway sends it as one message, which is too long for this client"
)
async def test_twenty_megabytes_in_one_print_arrive_complete(client):
    chunks, _ = await stream(client, "print('é' * 10_000_000)")
    assert "".join(chunks) == "é" * 10_000_000 + "\n"


@pytest.mark.beyond_stock(OVERTAKEN)
async def test_a_value_longer_than_the_client_takes_costs_the_connection_and_nothing_else(
    client, server
):
    """The client's own limit is 10 MiB a message, and a value is one message."""
    await client.execute("kept = 'kept'")
    with pytest.raises(RuntimeError, match="Kernel disconnected"):
        await client.execute("'v' * 11_000_000", timeout=120)
    client._session_id = uuid.uuid4().hex
    client._ws = await ipybox.websocket_connect(client.kernel_ws_url)
    assert (await client.execute("kept", timeout=60)).text == "'kept'"


@pytest.mark.beyond_stock(OVERTAKEN)
async def test_a_value_of_eleven_megabytes_arrives_where_the_client_takes_it(
    new_client, monkeypatch
):
    wide = functools.partial(ipybox.websocket_connect, max_message_size=64 * MEGABYTE)
    monkeypatch.setattr(ipybox, "websocket_connect", wide)
    async with new_client() as client:
        result = await client.execute("'v' * 11_000_000", timeout=120)
        assert result.text == repr("v" * 11_000_000)


async def test_code_of_nine_megabytes_is_accepted(client):
    """It comes back to everybody as what is executed, so the client's limit is the limit."""
    code = "given = '" + "c" * 9_000_000 + "'\nlen(given)"
    assert (await client.execute(code, timeout=120)).text == "9000000"


@pytest.mark.beyond_stock("with a stock gateway the client waits forever")
async def test_a_kernel_that_dies_fails_the_execution_instead_of_hanging_it(client):
    await client.execute("import os")
    with pytest.raises((ExecutionError, RuntimeError)):
        await client.execute("os._exit(3)", timeout=60)
