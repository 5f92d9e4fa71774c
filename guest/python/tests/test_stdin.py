"""input() and getpass()."""


def test_input_without_permission_fails_at_once_and_says_why(kernel):
    result = kernel.run("input('name? ')")
    assert result.reply["ename"] == "StdinNotImplementedError" and "allow_stdin" in result.reply["evalue"]
    assert kernel.run("import getpass; getpass.getpass()").reply["ename"] == "StdinNotImplementedError"


def test_input_is_asked_of_the_client(kernel):
    msg_id = kernel.start("print('before'); name = input('name? '); name.upper()", allow_stdin=True)
    assert kernel.answer_input("ada") == {"prompt": "name? ", "password": False}
    result = kernel.finish(msg_id)
    assert result.value == "'ADA'" and result.stdout == "before\n"


def test_getpass_asks_for_a_password(kernel):
    msg_id = kernel.start("import getpass; len(getpass.getpass('secret: '))", allow_stdin=True)
    assert kernel.answer_input("12345") == {"prompt": "secret: ", "password": True}
    assert kernel.finish(msg_id).value == "5"


def test_waiting_for_input_can_be_interrupted_and_the_late_answer_is_dropped(kernel):
    msg_id = kernel.start("input('one? ')", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=60)
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    kernel.client.input("stale")
    kernel.run("import time; time.sleep(0.3)")
    msg_id = kernel.start("input('two? ')", allow_stdin=True)
    kernel.answer_input("fresh")
    assert kernel.finish(msg_id).value == "'fresh'"


def test_input_in_a_thread_is_refused(kernel):
    code = """
import threading
def ask():
    try: input()
    except Exception as e: print(type(e).__name__, e)
t = threading.Thread(target=ask); t.start(); t.join()
"""
    assert "main thread" in kernel.run(code, allow_stdin=True).stdout


def test_a_shutdown_while_input_waits_ends_the_kernel(kernel):
    kernel.start("input('x')", allow_stdin=True)
    kernel.client.get_stdin_msg(timeout=60)
    assert kernel.ask("shutdown_request", {"restart": False}, channel="control")["status"] == "ok"
    assert kernel.exit_event()["exit_code"] == 0


def test_a_breakpoint_asks_the_client_for_commands(kernel):
    msg_id = kernel.start("x = 41\nbreakpoint()\nx + 1", allow_stdin=True)
    kernel.answer_input("p x * 2")
    kernel.answer_input("c")
    result = kernel.finish(msg_id)
    assert "82" in result.stdout and result.value == "42"
