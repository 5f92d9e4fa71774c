"""The part of the ``comm`` package that a kernel needs, for interpreters that do not have it."""

import uuid

from . import log


class BaseComm:
    manager = None

    def __init__(self, target_name="comm", data=None, metadata=None, buffers=None, comm_id=None, primary=True, **_):
        self.comm_id = comm_id or uuid.uuid4().hex
        self.target_name = target_name
        self.topic = ("comm-%s" % self.comm_id).encode()
        self._on_message = self._on_close = None
        self._closed = not primary
        if primary:
            self.manager.register_comm(self)
            self.publish_msg("comm_open", data, metadata, buffers, target_name=target_name, target_module=None)
        self._closed = False

    def send(self, data=None, metadata=None, buffers=None):
        self.publish_msg("comm_msg", data, metadata, buffers)

    def close(self, data=None, metadata=None, buffers=None):
        if not self._closed:
            self._closed = True
            self.publish_msg("comm_close", data, metadata, buffers)
            self.manager.unregister_comm(self)

    def on_msg(self, callback):
        self._on_message = callback

    def on_close(self, callback):
        self._on_close = callback

    def handle_msg(self, message):
        if self._on_message:
            self._on_message(message)

    def handle_close(self, message):
        if self._on_close:
            self._on_close(message)


class CommManager:
    create_comm = BaseComm

    def __init__(self):
        self.comms = {}
        self.targets = {}

    def register_target(self, name, callback):
        self.targets[name] = callback

    def unregister_target(self, name, callback):
        return self.targets.pop(name)

    def register_comm(self, comm):
        self.comms[comm.comm_id] = comm
        return comm.comm_id

    def unregister_comm(self, comm):
        self.comms.pop(comm.comm_id, None)

    def get_comm(self, comm_id):
        return self.comms.get(comm_id)

    def comm_open(self, stream, ident, message):
        content = message["content"]
        name = content.get("target_name")
        comm = self.create_comm(comm_id=content.get("comm_id"), target_name=name, primary=False)
        self.register_comm(comm)
        if name in self.targets:
            try:
                self.targets[name](comm, message)
                return
            except Exception:
                log.failure("opening a comm for target %r" % name)
        comm.close()

    def comm_msg(self, stream, ident, message):
        self.comms[message["content"]["comm_id"]].handle_msg(message)

    def comm_close(self, stream, ident, message):
        comm = self.comms.pop(message["content"]["comm_id"])
        comm._closed = True
        comm.handle_close(message)
