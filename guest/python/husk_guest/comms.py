"""Comms: named two-way channels between objects here and objects in a client, as ipywidgets uses them."""

from . import log

try:
    import comm as comm_package
    from comm.base_comm import BaseComm, CommManager
except ImportError:
    comm_package = None
    from .comm_base import BaseComm, CommManager


class Comms:
    """Answers the comm messages of the shell channel."""

    def __init__(self, kernel):
        self.manager = CommManager()
        # A class, because ipywidgets keeps asking for comms long after the import.
        self.comm_class = type("KernelComm", (BaseComm,), {"publish_msg": _publish, "kernel": kernel})

    def install(self):
        """Makes libraries that use the ``comm`` package talk through this kernel."""
        if comm_package is None:
            BaseComm.manager = self.manager
            CommManager.create_comm = self.comm_class
        else:
            comm_package.create_comm = self.comm_class
            comm_package.get_comm_manager = lambda: self.manager

    def succeed(self, former):
        """In a copy: the comms that are open stay open, and talk through this kernel."""
        kernel = self.comm_class.kernel
        self.manager, self.comm_class = former.manager, former.comm_class
        self.comm_class.kernel = kernel

    def open(self, request):
        self.manager.comm_open(None, request.idents, request.as_dict())

    def message(self, request):
        self._known(request) and self.manager.comm_msg(None, request.idents, request.as_dict())

    def close(self, request):
        self._known(request) and self.manager.comm_close(None, request.idents, request.as_dict())

    def info(self, request):
        target = request.content.get("target_name")
        comms = {
            comm_id: {"target_name": comm.target_name}
            for comm_id, comm in list(self.manager.comms.items())
            if not target or comm.target_name == target
        }
        return {"status": "ok", "comms": comms}

    def _known(self, request):
        if request.content.get("comm_id") in self.manager.comms:
            return True
        log.write("%s for an unknown comm" % request.msg_type)
        return False


def _publish(comm, msg_type, data=None, metadata=None, buffers=None, **keys):
    content = dict(keys, data=data or {}, comm_id=comm.comm_id)
    comm.kernel.publish_comm(msg_type, content, metadata, buffers, comm.topic)
