"""Interrupts stop the code, keep the state, and never harm the kernel."""

import os
import signal

from harness import process_exists, wait_until


def started(kernel, code):
    msg_id = kernel.start("print('on')\n" + code)
    kernel.wait_for_text("on")
    return msg_id


def test_a_busy_cell_is_interrupted_and_earlier_variables_stay(kernel):
    kernel.run("kept = 'yes'")
    msg_id = started(kernel, "inside = 1\nwhile True: pass")
    assert kernel.interrupt()["status"] == "ok"
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert kernel.run("kept, inside").value == "('yes', 1)"


def test_a_sleeping_cell_is_interrupted(kernel):
    msg_id = started(kernel, "import time; time.sleep(1000)")
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"


def test_a_plain_sigint_interrupts_too(kernel):
    msg_id = started(kernel, "import time; time.sleep(1000)")
    os.kill(kernel.pid, signal.SIGINT)
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"


def test_output_before_an_interrupt_is_kept(kernel):
    msg_id = kernel.start("print('partial'); print('on')\nwhile True: pass")
    early = kernel.wait_for_text("on")
    kernel.interrupt()
    assert kernel.finish(msg_id).status == "error"
    assert "partial" in "".join(m["content"].get("text", "") for m in early)


def test_an_interrupt_between_cells_is_ignored(kernel):
    for _ in range(20):
        os.kill(kernel.pid, signal.SIGINT)
    kernel.interrupt()
    assert kernel.run("'fine'").value == "'fine'"


def test_interrupts_at_any_moment_of_heavy_printing_do_no_harm(kernel):
    kernel.run("kept = 1")
    for _ in range(15):
        msg_id = started(kernel, "while True: print('z' * 500)")
        kernel.interrupt()
        assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert kernel.run("kept").value == "1"


def test_a_subprocess_is_interrupted_with_its_cell(kernel):
    msg_id = kernel.start("import subprocess; p = subprocess.Popen(['sleep', '1000']); print('pid', p.pid, 'on'); p.wait()")
    text = "".join(m["content"].get("text", "") for m in kernel.wait_for_text("on"))
    sleeper = int(text.split()[1])
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    wait_until(lambda: not process_exists(sleeper), "the subprocess is gone too")


def test_the_traceback_of_an_interrupt_shows_only_user_code(kernel):
    msg_id = started(kernel, "while True: print('z' * 100)")
    kernel.interrupt()
    assert "husk_guest" not in "".join(kernel.finish(msg_id).reply["traceback"])


def test_code_after_an_interrupted_shell_command_does_not_run(kernel):
    msg_id = started(kernel, "!sleep 1000\nreached = True")
    kernel.interrupt()
    assert kernel.finish(msg_id).status == "error"
    assert kernel.run("'reached' in globals(), _exit_code").value == "(False, -2)"


def test_a_handler_that_user_code_installed_lasts_only_for_its_cell(kernel):
    kernel.run("import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)")
    msg_id = started(kernel, "import time; time.sleep(1000)")
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"


def test_code_can_catch_the_interrupt(kernel):
    msg_id = started(kernel, "import time\ntry: time.sleep(1000)\nexcept KeyboardInterrupt: print('caught')")
    kernel.interrupt()
    result = kernel.finish(msg_id)
    assert result.status == "ok" and "caught" in result.stdout


def test_a_bash_cell_is_interrupted(kernel):
    msg_id = kernel.start("%%bash\necho on; sleep 1000")
    kernel.wait_for_text("on")
    kernel.interrupt()
    kernel.finish(msg_id)
    assert kernel.run("'fine'").value == "'fine'"


def test_a_pool_of_workers_is_interrupted(kernel):
    # Python swallows an interrupt that strikes its own hooks around a fork, so this one waits until both workers are up.
    kernel.run("import multiprocessing, time\ndef nap(x): print('z', end='', flush=True); time.sleep(1000)")
    msg_id = kernel.start("with multiprocessing.get_context('fork').Pool(2) as pool: pool.map(nap, range(2))")
    kernel.wait_for_text("zz")
    kernel.interrupt()
    assert kernel.finish(msg_id).status == "error"
    assert kernel.run("'fine'").value == "'fine'"
