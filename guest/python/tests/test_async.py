"""Top-level await, asyncio.run() and tasks that go on between cells."""


def test_a_cell_can_await(kernel):
    assert kernel.run("import asyncio; await asyncio.sleep(0.01); 'done'").value == "'done'"


def test_a_plain_cell_has_no_running_loop(kernel):
    kernel.run("import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 5")
    assert kernel.run("asyncio.run(f())").value == "5"
    assert kernel.run("await f()").value == "5"
    assert kernel.run("asyncio.run(f())").value == "5"
    assert kernel.run("await f()").value == "5"


def test_a_cell_that_makes_a_task_runs_in_the_loop(kernel):
    kernel.run("import asyncio\nlog = []\nasync def f():\n    log.append('ran')")
    assert kernel.run("task = asyncio.create_task(f())").status == "ok"
    assert kernel.run("await task; log").value == "['ran']"
    assert kernel.run("asyncio.ensure_future(f()); asyncio.get_running_loop().is_running()").value == "True"


def test_a_function_that_mentions_a_task_does_not_make_its_cell_run_in_the_loop(kernel):
    kernel.run("import asyncio\nasync def f():\n    return await asyncio.create_task(asyncio.sleep(0, 'x'))")
    assert kernel.run("def g():\n    return asyncio.create_task(f())\nasyncio.run(f())").value == "'x'"


def test_one_loop_serves_all_cells(kernel):
    kernel.run("import asyncio\nfirst = asyncio.get_running_loop()")
    assert kernel.run("first is asyncio.get_running_loop()").value == "True"


def test_a_task_goes_on_between_cells(kernel):
    kernel.run(
        "import asyncio\nasync def tick():\n    for i in range(5):\n        await asyncio.sleep(0.02)\n    print('ticked')\ntask = asyncio.create_task(tick())"
    )
    kernel.wait_for_text("ticked")
    assert kernel.run("task.done()").value == "True"


def test_an_error_in_a_task_does_no_harm(kernel):
    kernel.run("import asyncio\nasync def bad():\n    await asyncio.sleep(0.05)\n    raise SystemExit(3)\nt = asyncio.create_task(bad())")
    kernel.run("import time; time.sleep(0.1)")
    assert kernel.run("'alive'").value == "'alive'"


def test_a_waiting_async_cell_is_interrupted(kernel):
    msg_id = kernel.start("import asyncio; kept = 1; print('on'); await asyncio.sleep(1000)")
    kernel.wait_for_text("on")
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert kernel.run("await asyncio.sleep(0); kept").value == "1"


def test_a_busy_async_cell_is_interrupted(kernel):
    msg_id = kernel.start("import asyncio; await asyncio.sleep(0); print('on')\nwhile True: pass")
    kernel.wait_for_text("on")
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert kernel.run("await asyncio.sleep(0); 1").value == "1"


def test_a_background_task_survives_the_interrupt_of_a_waiting_cell(kernel):
    kernel.run("import asyncio\ncount = 0\nasync def tick():\n    global count\n    while True:\n        await asyncio.sleep(0.5); count += 1\nt = asyncio.create_task(tick())")
    msg_id = kernel.start("print('on'); await asyncio.sleep(1000)")
    kernel.wait_for_text("on")
    kernel.interrupt()
    assert kernel.finish(msg_id).status == "error"
    assert kernel.run("t.done()").value == "False"


def test_asyncio_run_is_interrupted(kernel):
    msg_id = kernel.start("import asyncio\nprint('on'); asyncio.run(asyncio.sleep(1000))")
    kernel.wait_for_text("on")
    kernel.interrupt()
    assert kernel.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert kernel.run("asyncio.run(asyncio.sleep(0, 7))").value == "7"


def test_a_loop_that_user_code_closed_is_made_anew(kernel):
    kernel.run("import asyncio; loop = asyncio.get_running_loop()")
    kernel.run("loop.close()")
    assert kernel.run("await asyncio.sleep(0, 'new')").value == "'new'"
