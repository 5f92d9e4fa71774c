"""Standard output and error: nothing lost, nothing late, nothing out of order."""

import json
import os
import re

from harness import PATIENCE, process_exists, wait_until

HELLO_FROM_C = "import ctypes; libc = ctypes.CDLL(None); libc.printf(b'from C\\n'); None"


def test_streams_are_kept_apart(kernel):
    result = kernel.run("import sys; print('out'); print('err', file=sys.stderr)")
    assert (result.stdout, result.stderr) == ("out\n", "err\n")


def test_order_is_kept_between_python_and_subprocesses(kernel):
    result = kernel.run("import os\nfor i in range(20):\n    print('a%d' % i); os.system('echo b%d' % i)")
    assert result.stdout.split() == [letter + str(i) for i in range(20) for letter in "ab"]


def test_order_is_kept_between_streams(kernel):
    code = "import sys, os\nfor i in range(5):\n    print(i); os.write(1, b'fd '); print(i, file=sys.stderr); sys.__stdout__.write('raw ')"
    result = kernel.run(code)
    texts = [(c["name"], c["text"]) for c in result.of("stream")]
    merged = []
    for name, text in texts:
        if merged and merged[-1][0] == name:
            merged[-1] = (name, merged[-1][1] + text)
        else:
            merged.append((name, text))
    expected = [("stdout", "0\nfd ")]
    for i in range(5):
        expected.append(("stderr", "%d\n" % i))
        expected.append(("stdout", "raw %d\nfd " % (i + 1) if i < 4 else "raw "))
    assert merged == expected


def test_output_of_c_code_comes_before_idle(kernel):
    assert kernel.run(HELLO_FROM_C).stdout == "from C\n"


def test_output_comes_before_the_result_it_preceded(kernel):
    result = kernel.run("import os; os.write(1, b'x'); display('shown'); os.write(2, b'y'); 5")
    assert [kind for kind, _ in result.messages] == ["stream", "display_data", "stream", "execute_result"]


def test_output_is_seen_while_the_cell_runs(kernel):
    msg_id = kernel.start("import os, time\nprint('early')\nwhile not os.path.exists('go'): time.sleep(0.01)")
    kernel.wait_for_text("early")
    open(os.path.join(kernel.directory, "go"), "w").close()
    assert kernel.finish(msg_id).status == "ok"


def test_output_of_a_subprocess_is_seen_while_the_cell_runs(kernel):
    msg_id = kernel.start("!echo early; while [ ! -e go ]; do sleep 0.01; done")
    kernel.wait_for_text("early")
    open(os.path.join(kernel.directory, "go"), "w").close()
    assert kernel.finish(msg_id).status == "ok"


def test_characters_split_between_writes_are_put_together(kernel):
    result = kernel.run(
        "import os, time\nfor byte in 'dé €'.encode():\n    os.write(1, bytes([byte])); time.sleep(0.05)"
    )
    assert result.stdout == "dé €"
    assert kernel.run("import sys\nfor byte in 'é'.encode(): sys.stdout.buffer.write(bytes([byte]))").stdout == "é"


def test_bytes_that_are_not_utf8_are_replaced(kernel):
    assert kernel.run("import os; os.write(1, b'a\\xffb'); None").stdout == "a\ufffdb"
    assert kernel.run("import os; os.write(1, b'cut \\xe2\\x82'); None").stdout == "cut \ufffd"


def test_lone_surrogates_do_no_harm(kernel):
    result = kernel.run("print('a\\ud800b'); '\\udc00'")
    assert result.status == "ok" and result.stdout.startswith("a") and result.stdout.endswith("b\n")


def test_large_output_arrives_whole_in_pieces_of_bounded_size(kernel):
    result = kernel.run("for i in range(100): print(str(i % 10) * 99_999)")
    assert result.stdout == "".join(str(i % 10) * 99_999 + "\n" for i in range(100))
    assert max(len(c["text"].encode()) for c in result.of("stream")) <= 64 * 1024


def test_large_output_of_a_subprocess_arrives_whole(kernel):
    result = kernel.run("!head -c 20000000 /dev/zero | tr '\\0' x")
    assert len(result.stdout) == 20_000_000 and set(result.stdout) == {"x"}


def test_wide_characters_keep_messages_bounded(kernel):
    result = kernel.run("print('€' * 200_000)")
    assert result.stdout == "€" * 200_000 + "\n"
    assert max(len(c["text"].encode()) for c in result.of("stream")) <= 64 * 1024


def test_many_small_prints_arrive_in_order(kernel):
    result = kernel.run("for i in range(100_000): print(i)")
    assert result.stdout == "".join("%d\n" % i for i in range(100_000))


def test_threads_print_without_losing_lines(kernel):
    code = """
import threading
def work(n):
    for i in range(2000): print('thread %d line %d' % (n, i))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]; None
"""
    result = kernel.run(code)
    assert len(result.stdout) == sum(len("thread %d line %d\n" % (n, i)) for n in range(8) for i in range(2000))


def test_a_thread_that_outlives_its_cell_still_prints(kernel):
    msg_id = kernel.start("import threading, time\nthreading.Timer(0.3, lambda: print('later')).start()")
    assert kernel.finish(msg_id).status == "ok"
    late = kernel.wait_for_text("later")
    assert late[-1]["parent_header"]["msg_id"] == msg_id


def test_a_background_process_that_outlives_its_cell_still_prints(kernel):
    kernel.run("import subprocess; p = subprocess.Popen('sleep 0.3; echo later', shell=True)")
    kernel.wait_for_text("later")


def test_destructors_that_print_do_no_harm(kernel):
    code = """
import gc
class Noisy:
    def __init__(self): self.me = self
    def __del__(self): print('x' * 1000)
gc.set_threshold(20)
for i in range(3000):
    Noisy(); print('line', i, [[] for _ in range(3)])
gc.collect(); None
"""
    result = kernel.run(code)
    assert result.status == "ok" and result.stdout.count("line") == 3000
    assert result.stdout.count("x" * 1000) == 3000


def test_sys_stdout_is_a_proper_text_stream(kernel):
    code = "import sys; sys.stdout.fileno(), sys.stderr.fileno(), sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.writable()"
    assert kernel.run(code).value == "(1, 2, False, 'utf-8', True)"
    assert kernel.run("sys.stdout.writelines(['a', 'b']); sys.stdout.write('c')").stdout == "abc"
    assert kernel.run("sys.stdout.write(b'x')").reply["ename"] == "TypeError"
    assert kernel.run("import subprocess; subprocess.run(['echo', 'hi'], stdout=sys.stdout); None").stdout == "hi\n"
    assert kernel.run("sys.stdout.close(); sys.stdout.reconfigure(line_buffering=True); print('still')").stdout == "still\n"


def test_output_can_be_redirected_by_user_code(kernel):
    code = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()) as f: print('caught')\nf.getvalue()"
    result = kernel.run(code)
    assert result.stdout == "" and result.value == "'caught\\n'"


def test_closing_descriptor_1_does_no_harm(kernel):
    kernel.run("import os; os.close(1)")
    assert kernel.run("print('fine')").stdout == "fine\n"


def test_a_pool_of_processes_prints_while_threads_print(kernel):
    kernel.run("def shout(n):\n    for i in range(200): print('process', n, i)\n    return n")
    code = """
import multiprocessing, threading
stop = threading.Event()
def noise():
    while not stop.is_set(): print('noise')
threads = [threading.Thread(target=noise) for _ in range(2)]
[t.start() for t in threads]
with multiprocessing.get_context('fork').Pool(3) as pool: answer = pool.map(shout, range(6))
stop.set(); [t.join() for t in threads]; answer
"""
    result = kernel.run(code)
    assert result.value == "[0, 1, 2, 3, 4, 5]"
    assert result.stdout.count("process") == 1200


def stop_reading(kernel):
    """A second client that subscribes and never reads, with little room of its own."""
    import zmq

    context = zmq.Context()
    socket = context.socket(zmq.SUB)
    socket.rcvhwm = 1
    socket.rcvbuf = 4096
    socket.linger = 0
    socket.subscribe(b"")
    socket.connect("ipc://%s-2" % os.path.join(kernel.directory, "k"))
    socket.poll(PATIENCE * 1000)  # its welcome has arrived, so it is subscribed
    return context, socket


def test_a_client_that_does_not_read_slows_the_kernel_but_loses_nothing(kernel):
    context, slow = stop_reading(kernel)
    msg_id = kernel.start("for i in range(900): print('%06d' % i + 'y' * 60_000)")
    for _ in range(300):  # some arrive, then the kernel waits for the slow one
        kernel.client.get_iopub_msg(timeout=PATIENCE)
    assert kernel.ask("husk_state_request", channel="control")["current"] == msg_id
    texts, content = [], {}
    while content.get("execution_state") != "idle":
        assert slow.poll(PATIENCE * 1000)
        frames = slow.recv_multipart()
        content = json.loads(frames[6]) if msg_id.encode() in frames[4] else {}
        texts.append(content.get("text", ""))
    assert re.findall(r"(\d{6})y", "".join(texts)) == ["%06d" % i for i in range(900)]
    kernel.finish(msg_id)
    slow.close()
    context.term()


def test_a_wait_for_a_slow_client_can_be_interrupted(kernel):
    context, slow = stop_reading(kernel)
    kernel.run("get_ipython().kernel.iopub.patience = 5")
    msg_id = kernel.start("while True: print('y' * 60_000)")
    for _ in range(200):
        kernel.client.get_iopub_msg(timeout=PATIENCE)
    assert kernel.interrupt()["status"] == "ok"
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    slow.close()
    context.term()


def test_a_stuck_client_is_skipped_in_the_end_and_others_are_told(kernel):
    context, slow = stop_reading(kernel)
    kernel.run("get_ipython().kernel.iopub.patience = 0.5")
    result = kernel.run("for i in range(1500): print('%06d' % i + 'y' * 60_000)")
    assert re.findall(r"(\d{6})y", result.stdout) == ["%06d" % i for i in range(1500)]
    assert "has not read" in result.stderr
    slow.close()
    context.term()


def test_a_killed_kernel_ends_the_output_of_its_background_processes(kernel):
    pid = int(kernel.run("import subprocess; subprocess.Popen('while echo x; do sleep 0.05; done', shell=True).pid").value)
    kernel.close()
    wait_until(lambda: not process_exists(pid), "the process noticed that nobody listens")
