"""Kernels over Jupyter's own protocol, asynchronously, in the shape of ipybox's kernel manager.

Owns: `KernelClient`, which works with Husk and with a stock Jupyter Kernel Gateway alike, and `KernelGateway`, a
Husk of one's own that listens on a port. Called by: asynchronous programs. Never: blocks the event loop. Start
reading at `client.KernelClient.stream`, then `channels.Channels`.
"""

from husk.kernel_mgr.client import (
    ExecutionError,
    ExecutionResult,
    ExecutionTimeout,
    KernelClient,
    KernelDied,
)
from husk.kernel_mgr.server import KernelGateway

__all__ = [
    "ExecutionError",
    "ExecutionResult",
    "ExecutionTimeout",
    "KernelClient",
    "KernelDied",
    "KernelGateway",
]
