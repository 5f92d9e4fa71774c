"""One event loop for the life of a kernel: it runs async cells, and background tasks between cells."""

import ast
import asyncio
import types

# A cell that calls one of these at its own top level expects a running loop, though it awaits nothing.
_NEED_A_LOOP = frozenset(["create_task", "ensure_future", "get_running_loop"])


def needs_running_loop(cell):
    """Whether the cell's top level, outside functions and classes, mentions a call that needs a running loop."""
    if not any(name in cell for name in _NEED_A_LOOP):
        return False
    try:
        nodes = list(ast.parse(cell).body)
    except (SyntaxError, ValueError, RecursionError):
        return False
    while nodes:
        node = nodes.pop()
        if getattr(node, "attr", None) in _NEED_A_LOOP or getattr(node, "id", None) in _NEED_A_LOOP:
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            nodes.extend(ast.iter_child_nodes(node))
    return False


class Loops:
    def __init__(self):
        self._loop = None
        self._cell = None
        self._interrupted = False

    def current(self):
        """The kernel's loop, made on first use and again if user code closed it."""
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        asyncio.set_event_loop(self._loop)
        return self._loop

    def run(self, coroutine):
        """Runs an async cell to its end."""
        loop = self.current()
        self._interrupted = False
        self._cell = loop.create_task(self._interruptible(coroutine))
        try:
            try:
                return loop.run_until_complete(self._cell)
            except KeyboardInterrupt:
                if self._cell.done():
                    raise
                # It struck in a background task: the cell itself has to end too.
                self._cancel_cell()
                return loop.run_until_complete(self._cell)
        finally:
            self._cell = None

    def interrupt_waiting_cell(self):
        """On SIGINT: when the loop merely waits, wakes the cell with KeyboardInterrupt instead of tearing the loop."""
        loop, cell = self._loop, self._cell
        if cell is None or cell.done() or asyncio.current_task(loop) is not None:
            return False
        loop.call_soon_threadsafe(self._cancel_cell)
        return True

    def _cancel_cell(self):
        self._interrupted = True
        self._cell.cancel()

    async def _interruptible(self, coroutine):
        return await self._drive(coroutine)

    @types.coroutine
    def _drive(self, coroutine):
        """Steps the coroutine, and turns the cancellation that an interrupt caused into KeyboardInterrupt."""
        error = None
        while True:
            try:
                waited_for = coroutine.send(None) if error is None else coroutine.throw(error)
            except StopIteration as stop:
                return stop.value
            error = None
            try:
                yield waited_for
            except asyncio.CancelledError as cancelled:
                error = KeyboardInterrupt() if self._interrupted else cancelled
                self._interrupted = False
            except BaseException as raised:
                error = raised

    def has_background_work(self):
        loop = self._loop
        if loop is None or loop.is_closed():
            return False
        return bool(
            asyncio.all_tasks(loop) or getattr(loop, "_ready", None) or getattr(loop, "_scheduled", None)
        )

    def run_until_readable(self, fds):
        """Lets background tasks go on until one of the descriptors has something to read."""
        loop = self.current()
        for fd in fds:
            loop.add_reader(fd, loop.stop)
        try:
            loop.run_forever()
        finally:
            for fd in fds:
                loop.remove_reader(fd)
