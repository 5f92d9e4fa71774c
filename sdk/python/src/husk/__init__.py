"""Husk: persistent Jupyter kernels for AI agents.

>>> from husk import get_or_create, execute, destroy
>>> kernel = get_or_create("agent")
>>> execute(kernel, "x = [1, 2, 3]; sum(x)").return_value
'6'

Owns: the synchronous library here, the asynchronous one in `husk.aio`, and ipybox's shape of it in
`husk.kernel_mgr`. Calls: the daemon's HTTP, or a server's. Never: holds a rule about kernels; those are in the
daemon, where every caller gets them. Start reading at `client.Husk`, then `execution.RemoteExecution`.
"""

from husk.api import (
    cancel,
    create,
    default_husk,
    destroy,
    execute,
    execute_with_retry,
    get_or_create,
    interrupt,
    list_kernels,
    restart,
    result,
    status,
    stream,
    wipe,
)
from husk.client import Husk
from husk.config import KernelBoxConfig
from husk.errors import (
    DaemonUnavailable,
    ExecutionNotFound,
    HuskError,
    InvalidRequest,
    KernelAlreadyExists,
    KernelBoxError,
    KernelNotFound,
    Overloaded,
)
from husk.events import Cleared, Display, DisplayUpdated, Ended, Event, Started, Stream
from husk.model import (
    AttemptSnapshot,
    Death,
    ErrorInfo,
    ExecutionResult,
    KernelHealth,
    KernelRecord,
    OutputItem,
)
from husk.rich import Image

__version__ = "0.1.0"

__all__ = [
    "AttemptSnapshot",
    "Cleared",
    "DaemonUnavailable",
    "Death",
    "Display",
    "DisplayUpdated",
    "Ended",
    "ErrorInfo",
    "Event",
    "ExecutionNotFound",
    "ExecutionResult",
    "Husk",
    "HuskError",
    "Image",
    "InvalidRequest",
    "KernelAlreadyExists",
    "KernelBoxConfig",
    "KernelBoxError",
    "KernelHealth",
    "KernelNotFound",
    "KernelRecord",
    "OutputItem",
    "Overloaded",
    "Started",
    "Stream",
    "cancel",
    "create",
    "default_husk",
    "destroy",
    "execute",
    "execute_with_retry",
    "get_or_create",
    "interrupt",
    "list_kernels",
    "restart",
    "result",
    "status",
    "stream",
    "wipe",
]
