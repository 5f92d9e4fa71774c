"""Husk's Python guest: a warm parent that forks Jupyter kernels, and the kernel itself.

Read ``zygote`` for the parent, ``birth`` for what happens between the fork and the first message, and
``kernel`` for the loop that serves a client. Everything else is one part of the kernel, named after what it owns.
"""

__version__ = "0.1.0"
