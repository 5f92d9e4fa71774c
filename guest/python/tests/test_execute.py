"""execute_request: results, errors, state and the fields of the reply."""

import re


def test_the_value_of_the_last_expression_is_the_result(kernel):
    result = kernel.run("x = 20\nx + 22")
    assert result.status == "ok" and result.value == "42"
    assert result.reply["execution_count"] == 1 and result.of("execute_result")[0]["execution_count"] == 1


def test_state_is_kept_between_executions(kernel):
    kernel.run("x = [1]")
    kernel.run("x.append(2)")
    assert kernel.run("x").value == "[1, 2]"


def test_the_code_is_shown_to_all_clients(kernel):
    result = kernel.run("1 + 1")
    shown = [m["content"] for m in result.all if m["msg_type"] == "execute_input"]
    assert shown == [{"code": "1 + 1", "execution_count": 1}]


def test_executions_are_counted(kernel):
    assert [kernel.run("0").reply["execution_count"] for _ in range(3)] == [1, 2, 3]
    assert kernel.run("0", store_history=False).reply["execution_count"] == 3
    assert kernel.run("_2").value == "0"


def test_a_silent_execution_says_nothing_and_is_not_counted(kernel):
    result = kernel.run("hidden = 5; hidden", silent=True)
    assert result.messages == [] and [m["msg_type"] for m in result.all] == ["status", "status"]
    assert kernel.run("hidden").reply["execution_count"] == 1


def test_user_expressions_are_evaluated_after_the_cell(kernel):
    result = kernel.run("a = 1", user_expressions={"good": "a + 1", "bad": "nothing_here"})
    expressions = result.reply["user_expressions"]
    assert expressions["good"]["data"]["text/plain"] == "2"
    assert expressions["bad"]["status"] == "error" and expressions["bad"]["ename"] == "NameError"


def test_the_reply_tells_when_the_cell_started(kernel):
    metadata = kernel.run("1").message["metadata"]
    assert metadata["started"] and metadata["status"] == "ok"


def test_an_error_has_name_value_and_a_plain_traceback(kernel):
    result = kernel.run("def f():\n    return 1 / 0\nf()")
    assert result.status == "error" and result.reply["ename"] == "ZeroDivisionError"
    assert result.error["evalue"] == "division by zero"
    assert result.error["traceback"] == result.reply["traceback"]
    text = "\n".join(result.error["traceback"])
    assert "return 1 / 0" in text and "\x1b" not in text


def test_tracebacks_stay_plain_when_colours_are_asked_for(kernel):
    kernel.run("%colors Linux")
    assert "\x1b" not in "\n".join(kernel.run("1/0").reply["traceback"])


def test_a_syntax_error_is_an_error_without_colour(kernel):
    result = kernel.run("for x in\n")
    assert result.reply["ename"] == "SyntaxError" and "\x1b" not in "".join(result.error["traceback"])
    assert len(result.of("error")) == 1


def test_output_before_an_error_is_kept(kernel):
    result = kernel.run("print('before'); display(1); raise ValueError('x')")
    assert [kind for kind, _ in result.messages] == ["stream", "display_data", "error"]


def test_every_kind_of_failure_is_published_as_an_error(kernel):
    group = "raise ExceptionGroup('several', [ValueError('one')])"
    for code, name in [("%no_such_magic", "UsageError"), ("import sys; sys.exit(3)", "SystemExit"), (group, None)]:
        result = kernel.run(code)
        assert result.status == "error" and len(result.of("error")) == 1
        assert name is None or result.reply["ename"] == name


def test_an_exception_whose_text_fails_is_still_reported(kernel):
    kernel.run("class Bad(Exception):\n    def __str__(self): raise RuntimeError('no')")
    result = kernel.run("raise Bad()")
    assert result.reply["ename"] == "Bad" and kernel.run("1").status == "ok"


def test_a_value_that_cannot_be_shown_makes_the_execution_fail(kernel):
    result = kernel.run("class Bad:\n    def __repr__(self): raise RuntimeError('no repr')\nBad()")
    assert result.status == "error" and result.reply["ename"] == "RuntimeError"
    assert kernel.run("1").status == "ok"


def test_executions_waiting_behind_an_error_are_aborted(kernel):
    first = kernel.start("import time; time.sleep(0.5); 1/0")
    waiting = [kernel.start("ran = True"), kernel.start("ran = True")]
    assert kernel.finish(first).status == "error"
    for msg_id in waiting:
        result = kernel.finish(msg_id)
        assert result.status == "aborted" and [m["msg_type"] for m in result.all] == ["status", "status"]
    assert kernel.run("'ran' in globals()").value == "False"


def test_executions_waiting_behind_an_error_run_when_asked_to(kernel):
    first = kernel.start("import time; time.sleep(0.5); 1/0", stop_on_error=False)
    second = kernel.start("'ran'")
    kernel.finish(first)
    assert kernel.finish(second).value == "'ran'"


def test_other_requests_waiting_behind_an_error_are_answered(kernel):
    first = kernel.start("import time; time.sleep(0.5); 1/0")
    assert kernel.ask("is_complete_request", {"code": "1"})["status"] == "complete"
    kernel.read_iopub(first)


def test_an_execute_request_without_code_is_an_error(kernel):
    reply = kernel.ask("execute_request", {"code": None})
    assert reply["status"] == "error" and "code" in reply["evalue"]
    assert kernel.run("1").status == "ok"


def test_set_next_input_and_the_pager_travel_as_payloads(kernel):
    payload = kernel.run("get_ipython().set_next_input('next')").reply["payload"]
    assert payload == [{"source": "set_next_input", "text": "next", "replace": False}]
    payload = kernel.run("len?").reply["payload"]
    assert payload[0]["source"] == "page" and "container" in payload[0]["data"]["text/plain"]
    assert "\x1b" not in payload[0]["data"]["text/plain"]
    assert kernel.run("1").reply["payload"] == []


def test_exit_ends_the_kernel_after_the_reply(kernel):
    result = kernel.run("exit")
    assert result.status == "ok" and result.reply["payload"][0]["source"] == "ask_exit"
    assert kernel.exit_event()["exit_code"] == 0


def test_quit_runs_exit_handlers(kernel, tmp_path):
    kernel.run("import atexit; atexit.register(lambda: open(%r, 'w').write('bye'))" % str(tmp_path / "note"))
    kernel.run("quit()")
    assert kernel.exit_event()["exit_code"] == 0
    assert (tmp_path / "note").read_text() == "bye"


def test_the_shell_looks_like_a_notebook_to_libraries(kernel):
    assert kernel.run("type(get_ipython()).__name__").value == "'ZMQInteractiveShell'"
    assert re.search("IPKernelApp", kernel.run("str(get_ipython().config)").value)


def test_lines_that_were_run_are_found_in_In_and_Out(kernel):
    kernel.run("40 + 2")
    assert kernel.run("In[1], Out[1], _").value == "('40 + 2', 42, 42)"


def test_multiprocessing_workers_run_user_functions(kernel):
    kernel.run("def square(x):\n    print('working on', x)\n    return x * x")
    result = kernel.run("import multiprocessing\nwith multiprocessing.Pool(2) as pool: print(pool.map(square, range(20)))")
    assert result.status == "ok", result.reply
    assert "[0, 1, 4, 9" in result.stdout
    assert sorted(line for line in result.stdout.splitlines() if line.startswith("working")) == sorted(
        "working on %d" % x for x in range(20)
    )


def test_a_forked_child_never_becomes_a_second_kernel(kernel):
    result = kernel.run("import os\npid = os.fork()\nif pid == 0:\n    print('child')\nelse:\n    print(os.waitpid(pid, 0)[1])")
    assert sorted(result.stdout.split()) == ["0", "child"]
    result = kernel.run("pid = os.fork()\nif pid == 0:\n    raise SystemExit(5)\nos.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])")
    assert result.value == "5"
    result = kernel.run("pid = os.fork()\nif pid == 0:\n    display('from the child')\n    os._exit(0)\nos.waitpid(pid, 0)[1]")
    assert result.value == "0"


def test_a_reset_clears_variables_and_leaves_the_kernel_usable(kernel):
    kernel.run("x = 1; import os")
    assert kernel.run("%reset -f").status == "ok"
    assert kernel.run("x").reply["ename"] == "NameError"
    assert kernel.run("print('on'); 1 + 1").value == "2"
