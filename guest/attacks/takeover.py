"""Runs inside a kernel: takes over its porter, and makes system calls there (``takeover.c`` says how). For tests only.

``porter = take_over()`` is where the porter sits, ``porter.fork()`` another process of its kind. Errors are negative
numbers, as the system gives them.
"""

import ctypes
import errno
import os
import struct
import time

SYS = {
    "read": 0, "write": 1, "close": 3, "getpid": 39, "connect": 42, "sendto": 44, "socket": 41, "kill": 62, "getuid": 102,
    "geteuid": 107, "mknod": 133, "chroot": 161, "mount": 165, "umount2": 166, "pivot_root": 155, "getdents64": 217, "capset": 126, "sendmsg": 46, "accept4": 288,
    "openat": 257, "unshare": 272, "setns": 308, "pidfd_open": 434, "clone": 56, "clone3": 435, "open_tree": 428,
    "fsopen": 430, "ptrace": 101, "process_vm_writev": 311, "pidfd_getfd": 438, "shmget": 29, "shmat": 30, "capget": 125,
    "open_by_handle_at": 304, "mount_setattr": 442, "bpf": 321, "io_uring_setup": 425, "readlink": 89, "chdir": 80,
    "prctl": 157, "exit_group": 231, "setresuid": 117, "unlink": 87, "fchmodat": 268, "linkat": 265, "wait4": 61,
    "sethostname": 170, "keyctl": 250, "userfaultfd": 323, "perf_event_open": 298, "execve": 59, "umask": 95, "mkdir": 83,
    "setsockopt": 54, "bind": 49, "lseek": 8, "getppid": 110, "setsid": 112, "dup2": 33, "fcntl": 72, "statfs": 137,
}  # fmt: skip
CLONE = {"mnt": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "user": 0x10000000, "pid": 0x20000000, "net": 0x40000000}
SANDBOX = sum(CLONE.values())
AT_FDCWD = -100

_library = ctypes.CDLL("/workspace/husk-takeover.so")
_library.seat_call.restype = _library.seat_fork.restype = ctypes.c_long
_library.seat_call.argtypes = [ctypes.c_int] + [ctypes.c_long] * 7
_library.shared_memory.restype = ctypes.c_void_p
_shared = _library.shared_memory()
_used = 0


def shared(data):
    """The address of these bytes in memory that every seat has."""
    global _used
    if _used + len(data) > (4 << 20):
        _used = 0
    address = _shared + _used
    ctypes.memmove(address, data, len(data))
    _used += (len(data) + 15) // 16 * 16
    return address


class Seat:
    _count = 0

    def __init__(self, number):
        self.number = number

    def call(self, name, *arguments):
        values = []
        for one in list(arguments) + [0] * (6 - len(arguments)):
            if isinstance(one, str):
                one = one.encode() + b"\0"
            values.append(shared(one) if isinstance(one, bytes) else one)
        return _library.seat_call(self.number, SYS.get(name, name), *values)

    def fork(self):
        """Another process, or a negative number."""
        Seat._count += 1
        other = Seat(Seat._count)
        other.pid = _library.seat_fork(self.number, other.number)
        return other if other.pid >= 0 else other.pid

    def open(self, path, flags=os.O_RDONLY, mode=0o600, at=AT_FDCWD):
        return self.call("openat", at, path, flags, mode)

    def read(self, path, size=65536):
        """The beginning of a file, or a negative number."""
        file = self.open(path)
        if file < 0:
            return file
        address = shared(bytes(size))
        got = self.call("read", file, address, size)
        self.call("close", file)
        return ctypes.string_at(address, got) if got >= 0 else got

    def write(self, path, data, flags=os.O_WRONLY):
        file = self.open(path, flags)
        if file < 0:
            return file
        wrote = self.call("write", file, data, len(data))
        self.call("close", file)
        return wrote

    def list(self, path):
        """The names in a folder, or a negative number."""
        folder = self.open(path, os.O_RDONLY | os.O_DIRECTORY)
        if folder < 0:
            return folder
        names = []
        while True:
            address = shared(bytes(65536))
            got = self.call("getdents64", folder, address, 65536)
            if got <= 0:
                break
            data, at = ctypes.string_at(address, got), 0
            while at < got:
                length = struct.unpack_from("<H", data, at + 16)[0]
                names.append(data[at + 19 : at + length].split(b"\0")[0].decode(errors="replace"))
                at += length
        self.call("close", folder)
        return sorted(set(names) - {".", ".."})

    def link(self, path):
        address = shared(bytes(4096))
        got = self.call("readlink", path, address, 4096)
        return ctypes.string_at(address, got).decode() if got >= 0 else got

    def capabilities(self):
        """Those that are in force, as a number."""
        header, data = shared(struct.pack("Ii", 0x20080522, 0)), shared(bytes(24))
        assert self.call("capget", header, data) == 0
        low, _, _, high, _, _ = struct.unpack("6I", ctypes.string_at(data, 24))
        return low | high << 32

    def join(self, pid, flags=SANDBOX):
        """Joins what this process of the family is in: 0, or a negative number."""
        process = self.call("pidfd_open", pid, 0)
        return process if process < 0 else self.call("setns", process, flags)

    def tcp(self, host, port):
        """0 if it can be connected to."""
        made = self.call("socket", 2, 1, 0)
        address = struct.pack("<H", 2) + struct.pack(">H", port) + bytes(map(int, host.split("."))) + bytes(8)
        return made if made < 0 else self.call("connect", made, address, 16)

    def unix(self, path):
        """The same for a socket with a path, or an abstract one (its name then begins with NUL)."""
        made = self.call("socket", 1, 1, 0)
        name = path.encode()
        return made if made < 0 else self.call("connect", made, struct.pack("<H", 1) + name + b"\0", 2 + len(name) + (path[0] != "\0"))


def names(*numbers):
    """Errors by their names."""
    return [errno.errorcode.get(-number, number) if number < 0 else number for number in numbers]


def take_over():
    """The porter of this kernel, which serves from now on."""
    assert _library.take_over() == 1, "the porter was not taken over"
    porter = Seat(0)
    assert porter.call("getpid") not in (os.getpid(), -5)
    return porter


def take_over_copies_after(name):
    """Copies of this kernel serve, once they have made this call. Where is told by ``awaited``."""
    assert _library.take_over_copies_after(SYS[name]) > 0, "it is not made"


def leave_out_in_copies(name):
    assert _library.leave_out_in_copies(SYS[name]) > 0, "it is not made"


def awaited(seconds=20):
    """Whoever has come to serve."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if _library.somebody_serves():
            return Seat(0)
        time.sleep(0.01)
    raise TimeoutError("nobody was taken over")
