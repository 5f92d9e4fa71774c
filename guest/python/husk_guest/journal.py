"""What the last journaled executions said, for a client that was away while they ran."""

import json
import threading
from collections import OrderedDict

from . import jsonsafe
from .lastwords import NoLastWords

KEPT_EXECUTIONS = 8
KEPT_BYTES = 1024 * 1024
KEPT_IDS = 1024
_RECORDED = frozenset(
    ["stream", "display_data", "update_display_data", "execute_result", "error", "clear_output"]
)


class _Entry:
    def __init__(self):
        self.messages = []  # (msg_type, content as JSON bytes)
        self.size = 0
        self.truncated = False
        self.reply = None
        self.started = jsonsafe.now()
        self.ended = None


class Journal:
    """Written by the thread that publishes, read by the control channel."""

    def __init__(self, last_words):
        self._lock = threading.RLock()
        self._entries = OrderedDict()
        self._seen = OrderedDict()  # ids of requests, also of those whose entries have gone
        self._last_words = last_words

    def begin(self, request):
        """Starts an entry when the request asks for one, and returns the last words that go with it."""
        if not _asks_for(request, "journal"):
            return None
        with self._lock:
            self._entries[request.msg_id] = _Entry()
            if _asks_for(request, "once"):
                self._seen[request.msg_id] = True
            self._last_words.begin(request.msg_id)
            while len(self._entries) > KEPT_EXECUTIONS:
                self._entries.popitem(last=False)
            while len(self._seen) > KEPT_IDS:
                self._seen.popitem(last=False)
            return self._last_words

    def has_seen(self, request):
        """Whether it is to run once, and came before: who was away sends again what may not have arrived.

        Others may use an id as often as they like.
        """
        with self._lock:
            return _asks_for(request, "once") and request.msg_id in self._seen

    def record(self, parent, msg_type, content):
        if not self._entries or parent is None or msg_type not in _RECORDED:
            return
        with self._lock:
            entry = self._entries.get(parent.msg_id)
            if entry is None:
                return
            if entry.reply is None:
                self._last_words.add(msg_type, content)
            if entry.truncated:
                return
            if entry.size + len(content) > KEPT_BYTES:
                entry.truncated = True
                return
            entry.size += len(content)
            entry.messages.append((msg_type, content))

    def end(self, request, reply):
        with self._lock:
            entry = self._entries.get(request.msg_id)
            if entry is not None:
                entry.reply = jsonsafe.dumps(reply)
                entry.ended = jsonsafe.now()

    def look_up(self, msg_id):
        """The content of a husk_execution_reply."""
        with self._lock:
            entry = self._entries.get(msg_id)
            if entry is None:
                return _answer("unknown", [], False, None, None, None)
            messages = list(entry.messages)
            reply = json.loads(entry.reply) if entry.reply else None
            state = "finished" if entry.reply else "running"
            return _answer(state, messages, entry.truncated, reply, entry.started, entry.ended)

    def after_fork_in_child(self):
        self._lock = threading.RLock()
        self._last_words = NoLastWords()


def _asks_for(request, what):
    husk = request.metadata.get("husk")
    return isinstance(husk, dict) and bool(husk.get(what))


def _answer(state, messages, truncated, reply, started, ended):
    return {
        "status": "ok",
        "state": state,
        "messages": [{"msg_type": kind, "content": json.loads(content)} for kind, content in messages],
        "truncated": truncated,
        "reply": reply,
        "started": started,
        "ended": ended,
    }
