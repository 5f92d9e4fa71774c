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
    best_of,
    cancel,
    checkpoint,
    checkpoints,
    create,
    create_sandbox,
    default_husk,
    destroy,
    drop_checkpoint,
    execute,
    execute_with_retry,
    fork,
    forks,
    get_or_create,
    get_sandbox,
    interrupt,
    list_kernels,
    list_sandboxes,
    promote,
    remove_sandbox,
    restart,
    result,
    rollback,
    status,
    stream,
    transaction,
    wipe,
)
from husk.client import Husk
from husk.commands import Forward, RunningCommand
from husk.config import KernelBoxConfig
from husk.errors import (
    CheckpointNotFound,
    CopyRefused,
    DaemonUnavailable,
    ExecutionNotFound,
    HuskError,
    InvalidRequest,
    KernelAlreadyExists,
    KernelBoxError,
    KernelNotFound,
    NotFoundInside,
    Overloaded,
    SandboxAlreadyExists,
    SandboxNotFound,
    SandboxNotRunning,
)
from husk.events import Cleared, Display, DisplayUpdated, Ended, Event, Started, Stream
from husk.live_model import BestOf, Checkpoint, Hazard, Variant
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
from husk.sandbox import Sandbox
from husk.sandbox_files import SandboxFiles
from husk.sandbox_model import (
    CommandEnd,
    CommandInfo,
    CommandResult,
    FileInfo,
    Output,
    SandboxEvent,
    SandboxInfo,
)

__version__ = "0.1.0"

__all__ = [
    "AttemptSnapshot",
    "BestOf",
    "Checkpoint",
    "CheckpointNotFound",
    "Cleared",
    "CommandEnd",
    "CommandInfo",
    "CommandResult",
    "CopyRefused",
    "DaemonUnavailable",
    "Death",
    "Display",
    "DisplayUpdated",
    "Ended",
    "ErrorInfo",
    "Event",
    "ExecutionNotFound",
    "ExecutionResult",
    "FileInfo",
    "Forward",
    "Hazard",
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
    "NotFoundInside",
    "Output",
    "OutputItem",
    "Overloaded",
    "RunningCommand",
    "Sandbox",
    "SandboxAlreadyExists",
    "SandboxEvent",
    "SandboxFiles",
    "SandboxInfo",
    "SandboxNotFound",
    "SandboxNotRunning",
    "Started",
    "Stream",
    "Variant",
    "best_of",
    "cancel",
    "checkpoint",
    "checkpoints",
    "create",
    "create_sandbox",
    "default_husk",
    "destroy",
    "drop_checkpoint",
    "execute",
    "execute_with_retry",
    "fork",
    "forks",
    "get_or_create",
    "get_sandbox",
    "interrupt",
    "list_kernels",
    "list_sandboxes",
    "promote",
    "remove_sandbox",
    "restart",
    "result",
    "rollback",
    "status",
    "stream",
    "transaction",
    "wipe",
]
