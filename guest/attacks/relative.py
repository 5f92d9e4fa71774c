"""Runs on the host, for tests: becomes a process of a family with every capability there and no filter, and looks for a
way out of it. ``python relative.py FAMILY SECRET GUARDED PORT SECONDS`` prints what it reached, as JSON.

Nobody inside can become this. It stands for whoever would own every process of a family.
"""

import ctypes
import encodings.idna  # noqa: F401  (nothing can be imported any more where this goes)
import json
import os
import socket
import sys
import time

libc = ctypes.CDLL(None, use_errno=True)
NEWNS, NEWUSER, NEWPID, NEWNET = 0x20000, 0x10000000, 0x20000000, 0x40000000
ALL = NEWNS | NEWUSER | NEWPID | NEWNET | 0x2000000 | 0x4000000 | 0x8000000
PIDFD_OPEN, MOUNT_SETATTR = 434, 442
MS_RDONLY, MS_REMOUNT, MS_BIND, MNT_DETACH = 1, 32, 4096, 2


def become_relative(family):
    if os.geteuid() == 0:
        os.setgroups([])
    if libc.setns(os.pidfd_open(family), ALL) != 0:
        raise OSError(ctypes.get_errno(), "setns")
    os.setresgid(1000, 1000, 1000)
    os.setresuid(1000, 1000, 1000)


def apart(look, *arguments):
    """What a child found: it changes namespaces for good."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, json.dumps(look(*arguments)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return json.loads(said) if said else []


def processes():
    for pid in range(1, 4000):
        process = libc.syscall(PIDFD_OPEN, pid, 0)
        if process >= 0:
            yield pid, process
            os.close(process)


def reached_files(where, secret, guarded):
    found = [where + ": the secret"] if os.path.exists(secret) else []
    for path in ("/guarded", guarded, "/shown/inner"):
        try:
            with open(path, "r+") as file:
                file.write("changed by " + where)
            found.append(where + ": wrote " + path)
        except OSError:
            pass
    try:
        found += [where + ": uncovered"] if os.path.getsize("/shown/covered") else []
    except OSError:
        pass
    return found


def mounts():
    try:
        with open("/proc/self/mountinfo") as file:
            return [line.split()[4] for line in file]
    except OSError:
        return ["/guarded", "/shown/inner", "/shown/covered", "/usr", "/"]


def force_mounts(secret, guarded):
    """Takes away every cover and every read-only that it may."""
    for place in reversed(mounts()):
        libc.mount(b"none", place.encode(), None, MS_REMOUNT | MS_BIND, None)
        attributes = (ctypes.c_uint64 * 4)(0, MS_RDONLY, 0, 0)
        libc.syscall(MOUNT_SETATTR, -100, place.encode(), 0x8000, attributes, 32)
    found = reached_files("remounted", secret, guarded)
    for place in reversed(mounts()):
        libc.umount2(place.encode(), MNT_DETACH)
    return found + reached_files("unmounted", secret, guarded)


def look_at_files(process, pid, secret, guarded):
    if libc.setns(process, NEWNS) != 0:
        return []
    where = "mounts of %d" % pid
    found = reached_files(where, secret, guarded)
    for way in ("/..", "/proc/1/root", "/proc/self/root/..", "/proc/1/cwd/.."):
        found += [where + way] if os.path.exists(way + secret) else []
    return found + force_mounts(secret, guarded)


def look_at_network(process, port):
    if process is not None and libc.setns(process, NEWNET) != 0:
        return []
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return ["the host's loopback"]
    except OSError:
        return []


def look_by_new_mounts(secret, guarded):
    """A namespace of its own, in which it may mount what it likes."""
    if libc.unshare(NEWNS) != 0:
        return []
    found = reached_files("copied mounts", secret, guarded)
    libc.mount(b"none", b"/", b"tmpfs", 0, None)
    os.makedirs("/p", exist_ok=True)
    if libc.mount(b"proc", b"/p", b"proc", 0, None) == 0:
        for pid in [name for name in os.listdir("/p") if name.isdigit()]:
            for link in ("root", "cwd"):
                found += ["/proc/%s/%s" % (pid, link)] if os.path.exists("/p/%s/%s%s" % (pid, link, secret)) else []
    return found


def look(secret, guarded, port):
    found = apart(look_by_new_mounts, secret, guarded) + look_at_network(None, port)
    for pid, process in processes():
        found += apart(look_at_files, process, pid, secret, guarded) + apart(look_at_network, process, port)
    return found


def main(family, secret, guarded, port, seconds):
    become_relative(family)
    reader, writer = os.pipe()
    if os.fork() == 0:
        found, rounds, until = [], 0, time.monotonic() + seconds
        found += apart(lambda: ["traced the first"] if libc.ptrace(0x4206, 1, None, None) == 0 else [])
        while rounds == 0 or time.monotonic() < until:
            found, rounds = found + look(secret, guarded, port), rounds + 1
        seen = [pid for pid, _ in processes()]
        os.write(writer, json.dumps({"reached": found, "rounds": rounds, "processes": seen}).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as file:
        print(file.read())


main(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
