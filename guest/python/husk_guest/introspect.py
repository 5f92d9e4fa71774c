"""Questions about code: complete, inspect, is_complete and history."""

from IPython.core.completer import provisionalcompleter, rectify_completions
from IPython.utils.tokenutil import token_at_cursor

_TYPES_KEY = "_jupyter_types_experimental"


class Introspection:
    def __init__(self, shell):
        self._shell = shell

    def complete(self, request):
        code, position = _code_and_cursor(request.content)
        with provisionalcompleter():
            completions = list(rectify_completions(code, self._shell.Completer.completions(code, position)))
        start, end = (completions[0].start, completions[0].end) if completions else (position, position)
        types = [
            {"start": c.start, "end": c.end, "text": c.text, "type": c.type, "signature": c.signature}
            for c in completions
        ]
        return {
            "status": "ok",
            "matches": [c.text for c in completions],
            "cursor_start": start,
            "cursor_end": end,
            "metadata": {_TYPES_KEY: types},
        }

    def inspect(self, request):
        code, position = _code_and_cursor(request.content)
        name = token_at_cursor(code, position)
        detail = 1 if request.content.get("detail_level") else 0
        try:
            data = dict(self._shell.object_inspect_mime(name, detail_level=detail))
        except KeyError:
            return {"status": "ok", "found": False, "data": {}, "metadata": {}}
        if not self._shell.enable_html_pager:
            data.pop("text/html", None)
        return {"status": "ok", "found": True, "data": data, "metadata": {}}

    def is_complete(self, request):
        code = _text(request.content, "code")
        status, indent = self._shell.input_transformer_manager.check_complete(code)
        reply = {"status": status}
        if status == "incomplete":
            reply["indent"] = " " * (indent or 0)
        return reply

    def history(self, request):
        asked = request.content
        access, raw, output = asked.get("hist_access_type"), asked.get("raw", True), asked.get("output", False)
        manager = self._shell.history_manager
        if access == "tail":
            found = manager.get_tail(asked.get("n"), raw=raw, output=output, include_latest=True)
        elif access == "range":
            session, start = asked.get("session") or 0, asked.get("start") or 1
            found = manager.get_range(session, start, asked.get("stop"), raw=raw, output=output)
        elif access == "search":
            found = manager.search(
                asked.get("pattern") or "*",
                raw=raw,
                output=output,
                n=asked.get("n"),
                unique=bool(asked.get("unique", False)),
            )
        else:
            found = []
        return {"status": "ok", "history": list(found)}


def _text(content, key):
    value = content.get(key)
    if not isinstance(value, str):
        raise ValueError("the request has no %r text" % key)
    return value


def _code_and_cursor(content):
    code = _text(content, "code")
    position = content.get("cursor_pos")
    return code, len(code) if not isinstance(position, int) else max(0, min(position, len(code)))
