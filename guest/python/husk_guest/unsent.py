"""Text that a cell has printed and that is in no message yet: it too outlives the process.

Layout: five numbers of eight bytes, then text as UTF-8, in which a byte that UTF-8 never has says which stream follows.
The numbers: bytes of text; which of the cell's characters is the first one here; and of the latest message with text
its number, and the characters before it and up to its end. Whoever knows that this message arrived, or finds it among
those kept, goes on after its end, and otherwise before it.
"""

ROOM = 256 * 1024
_MARKS = {"stdout": b"\xfe", "stderr": b"\xff"}
_HEADER = 5 * 8
_USED, _FIRST, _MESSAGE, _BEFORE, _END = range(5)


class Unsent:
    """Not thread safe: ``outlet`` calls it under its locks."""

    def __init__(self, memory):
        self._numbers = memory[:_HEADER].cast("Q")
        self._text = memory[_HEADER:]
        self._room = len(self._text)
        self.begin()

    def begin(self):
        self._numbers[_USED] = 0
        self._used = 0
        self._count = 0  # characters of the cell so far
        self._stream = None
        for number in (_FIRST, _MESSAGE, _BEFORE, _END):
            self._numbers[number] = 0

    def add(self, stream, text):
        """False when there is no room: it needs to be told afresh what is unsent."""
        data = text.encode("utf-8", "replace")  # as many characters as there were, whatever they are
        if stream != self._stream:
            data = _MARKS[stream] + data
        self._count += len(text)
        end = self._used + len(data)
        if end > self._room:
            return False
        self._text[self._used : end] = data
        self._stream = stream
        self._numbers[_USED] = self._used = end  # last: text is there once it is counted
        return True

    def start_over(self, pieces):
        """``pieces`` (stream, text), to the latest, are all that is unsent now."""
        self._forget(max(0, self._count - sum(len(text) for _, text in pieces)))
        for stream, text in pieces:
            if not self.add(stream, text):
                # Longer than all there is room for: whoever wrote it is sending it already.
                self._forget(self._count)

    def sending(self, message, text):
        """The next ``text`` is about to become the message of that number."""
        before = self._numbers[_END]
        self._numbers[_MESSAGE] = message
        self._numbers[_BEFORE] = before
        self._numbers[_END] = before + len(text)

    def not_sent(self):
        self._numbers[_END] = self._numbers[_BEFORE]

    def _forget(self, count):
        self._numbers[_USED] = self._used = 0
        self._stream = None
        self._count = self._numbers[_FIRST] = count
