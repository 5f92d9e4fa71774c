"""What was printed a moment before the end stands in the file of last words."""

import struct

import pytest

JOURNAL = {"husk": {"journal": True}}
OFFSET = 256 * 1024

ENDS = {
    "_exit": "os._exit(1)",
    "SIGKILL": "os.kill(os.getpid(), 9)",
    "SIGSEGV": "import ctypes; ctypes.string_at(0)",
}


def unsent(kernel):
    """The text that no message had, and whether the last message was counted."""
    with open(kernel.directory + "/lastwords", "rb") as file:
        data = file.read()
    next_message = struct.unpack_from("<Q", data, 96 + 4 + 8)[0]
    used, first, message, before, end = struct.unpack_from("<5Q", data, OFFSET)
    text = data[OFFSET + 40 : OFFSET + 40 + used].replace(b"\xfe", b"").replace(b"\xff", b"").decode()
    return text[max(0, (end if next_message > message else before) - first) :]


@pytest.mark.parametrize("end", ENDS)
def test_text_that_was_not_sent_outlives_the_process(kernel, end):
    kernel.start("import os\nprint('gone' * 3, 'ä')\n" + ENDS[end], metadata=JOURNAL)
    kernel.exit_event()
    assert unsent(kernel) == "gonegonegone ä\n"


def test_text_that_was_sent_is_not_kept_as_unsent(kernel):
    kernel.start("import os\nprint('first', flush=True); print('second'); os._exit(1)", metadata=JOURNAL)
    kernel.exit_event()
    assert unsent(kernel) == "second\n"


def test_the_end_of_a_long_output_is_kept(kernel):
    kernel.start("import os\nfor i in range(200_000): print('line', i)\nos._exit(1)", metadata=JOURNAL)
    while True:  # so that the kernel does not wait for this client
        try:
            kernel.client.get_iopub_msg(timeout=1)
        except Exception:
            break
    kernel.exit_event()
    left = unsent(kernel)
    assert left == "" or left.endswith("line 199999\n")


def test_a_text_larger_than_the_room_is_not_torn(kernel):
    msg_id = kernel.start("print('x' * 1_000_000); print('y')", metadata=JOURNAL)
    assert kernel.finish(msg_id).stdout == "x" * 1_000_000 + "\ny\n"
    assert kernel.run("print(1)").stdout == "1\n"
