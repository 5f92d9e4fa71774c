"""Jupyter messages: what one is, how it is signed, written to frames and read from them."""

import hashlib
import hmac
import itertools
import json
import uuid

from . import jsonsafe

PROTOCOL_VERSION = "5.4"
DELIMITER = b"<IDS|MSG>"
_FRAMES_AFTER_DELIMITER = 5  # signature, header, parent header, metadata, content


class Malformed(ValueError):
    """Frames that are no message of this session."""


class Message:
    """A request, as received. ``header_raw`` is kept so that answers can quote it without writing it again."""

    __slots__ = ("idents", "header", "header_raw", "parent_header", "metadata", "content", "buffers")

    def __init__(self, idents, header, header_raw, parent_header, metadata, content, buffers):
        self.idents = idents
        self.header = header
        self.header_raw = header_raw
        self.parent_header = parent_header
        self.metadata = metadata
        self.content = content
        self.buffers = buffers

    @property
    def msg_id(self):
        return self.header["msg_id"]

    @property
    def msg_type(self):
        return self.header["msg_type"]

    def as_dict(self):
        """The form that comm callbacks and ipywidgets know."""
        return {
            "header": self.header,
            "msg_id": self.msg_id,
            "msg_type": self.msg_type,
            "parent_header": self.parent_header,
            "metadata": self.metadata,
            "content": self.content,
            "buffers": self.buffers,
        }


class Session:
    """Signs and writes the messages of one kernel, and checks those it receives."""

    def __init__(self, key, scheme="hmac-sha256"):
        digest = scheme.partition("-")[2]
        if not scheme.startswith("hmac-") or digest not in hashlib.algorithms_available:
            raise ValueError("signature scheme %r is not supported" % scheme)
        self.id = uuid.uuid4().hex
        self._numbers = itertools.count(1)  # two threads write messages, and next() is atomic
        self._mac = hmac.new(key, digestmod=digest) if key else None

    def frames(self, msg_type, content, parent=None, metadata=None):
        """Signature, header, parent header, metadata, content: all that follows the delimiter but the buffers."""
        header = {
            "msg_id": "%s_%d" % (self.id, next(self._numbers)),
            "msg_type": msg_type,
            "username": "husk",
            "session": self.id,
            "date": jsonsafe.now(),
            "version": PROTOCOL_VERSION,
        }
        parts = [
            json.dumps(header).encode(),
            parent.header_raw if parent is not None else b"{}",
            jsonsafe.dumps(metadata) if metadata else b"{}",
            jsonsafe.dumps(content),
        ]
        return [self._sign(parts)] + parts

    def read(self, frames):
        """The message in these frames, or Malformed."""
        try:
            start = frames.index(DELIMITER)
        except ValueError:
            raise Malformed("no delimiter among %d frames" % len(frames)) from None
        body = frames[start + 1 :]
        if len(body) < _FRAMES_AFTER_DELIMITER:
            raise Malformed("only %d frames after the delimiter" % len(body))
        parts = body[1:_FRAMES_AFTER_DELIMITER]
        if not hmac.compare_digest(self._sign(parts), body[0]):
            raise Malformed("wrong signature")
        header, parent, metadata, content = (_read_object(part) for part in parts)
        if not isinstance(header.get("msg_id"), str) or not isinstance(header.get("msg_type"), str):
            raise Malformed("header without msg_id and msg_type")
        return Message(frames[:start], header, parts[0], parent, metadata, content, body[_FRAMES_AFTER_DELIMITER:])

    def _sign(self, parts):
        if self._mac is None:
            return b""
        mac = self._mac.copy()
        for part in parts:
            mac.update(part)
        return mac.hexdigest().encode()


def _read_object(data):
    try:
        value = jsonsafe.loads(data)
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON: %s" % error) from None
    if not isinstance(value, dict):
        raise Malformed("not a JSON object")
    return value
