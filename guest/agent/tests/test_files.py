"""Files: read, write, look, make, remove, move, pack and unpack."""

import hashlib
import io
import os
import tarfile

import pytest
from client import Problem
from places import descendants_of, eventually


def refused(call, *arguments, **fields):
    with pytest.raises(Problem) as problem:
        call(*arguments, **fields)
    return problem.value.code


@pytest.fixture
def folder(place):
    path = place.inside + "/f"
    place.ask("mkdir", path=path)
    yield path
    place.ask("remove", path=path, recursive=1)


def test_what_is_written_is_read(place, folder):
    data = os.urandom(200_000)
    assert place.write(folder + "/a", data) == {"bytes": "200000"}
    assert place.read(folder + "/a") == data
    assert place.read(folder + "/a", offset=199_990) == data[-10:]
    assert place.read(folder + "/a", offset=5, limit=70_000) == data[5:70_005]
    assert place.read(folder + "/a", limit=0) == b"" == place.read(folder + "/a", offset=10**12)
    assert place.write(folder + "/empty", b"") == {"bytes": "0"}


def test_files_of_proc_are_read_to_their_end(place):
    assert b"Name:" in place.read("/proc/self/status")


def test_modes_are_set_and_kept(place, folder):
    place.write(folder + "/a", b"1")
    assert place.ask("stat", path=folder + "/a")["mode"] == "644"
    place.write(folder + "/a", b"2", mode=755)
    place.write(folder + "/a", b"3")
    assert place.ask("stat", path=folder + "/a")["mode"] == "755", "without a mode the old one stays"


def test_appending_adds(place, folder):
    for part in (b"one", b"two"):
        place.write(folder + "/a", part, append=1)
    assert place.read(folder + "/a") == b"onetwo"


@pytest.mark.parametrize("append", [0, 1])
def test_a_connection_lost_half_way_leaves_the_old_file(place, folder, append):
    place.write(folder + "/a", b"old")
    with place.open("write", path=folder + "/a", append=append) as connection:
        connection.send("D", b"new" * 20000)
        if append:
            eventually(lambda: len(place.read(folder + "/a")) > 3)
        else:
            eventually(lambda: len(place.list(folder)) == 2)
    eventually(lambda: place.read(folder + "/a") == b"old")
    eventually(lambda: list(place.list(folder)) == ["a"])


def test_writing_through_a_link_keeps_the_link(place, folder):
    place.write(folder + "/real", b"1")
    place.shell(f"ln -s real {folder}/link")
    place.write(folder + "/link", b"2")
    assert place.read(folder + "/real") == b"2" and place.ask("stat", path=folder + "/link")["type"] == "symlink"


def test_stat_tells_what_is_there(place, folder):
    place.shell(f"cd {folder}; printf 12345 >file; ln -s file link; mkfifo pipe; chmod 1750 file; touch -d @1600000000.5 file")
    file = place.ask("stat", path=folder + "/file")
    assert (file["type"], file["size"], file["mode"], file["mtime_ms"]) == ("file", "5", "1750", "1600000000500")
    assert place.ask("stat", path=folder + "/link")["target"] == "file"
    assert place.ask("stat", path=folder + "/link", follow=1)["type"] == "file"
    assert place.ask("stat", path=folder + "/pipe")["type"] == "other"
    assert place.ask("stat", path=folder)["type"] == "directory"
    mine = place.run("id", "-u").out.decode().strip()
    assert file["uid"] == mine and file["gid"]


def test_names_may_hold_anything(place, folder):
    names = [b"a=b", b"new\nline", b"\xff\xfe", b" ", b"-rf", "ä".encode(), b"x" * 255]
    for name in names:
        place.write(folder.encode() + b"/" + name, name)
    assert {n.encode("utf-8", "surrogateescape") for n in place.list(folder)} == set(names)
    for name in names:
        assert place.read(folder.encode() + b"/" + name) == name


def test_directories_are_made(place, folder):
    place.ask("mkdir", path=folder + "/a/b/c", parents=1, mode=700)
    place.ask("mkdir", path=folder + "/a/b/c", parents=1)
    assert place.ask("stat", path=folder + "/a/b/c")["mode"] == "700"
    assert refused(place.ask, "mkdir", path=folder + "/a") == "exists"
    assert refused(place.ask, "mkdir", path=folder + "/x/y") == "not_found"


def test_removing_never_follows_links(place, folder):
    place.shell(f"mkdir -p {folder}/keep {folder}/gone/deep; echo x >{folder}/keep/x; ln -s ../keep {folder}/gone/link")
    assert refused(place.ask, "remove", path=folder + "/gone") == "not_empty"
    place.ask("remove", path=folder + "/gone", recursive=1)
    assert list(place.list(folder)) == ["keep"] and place.read(folder + "/keep/x") == b"x\n"
    place.shell(f"ln -s keep {folder}/link")
    place.ask("remove", path=folder + "/link", recursive=1)
    assert place.read(folder + "/keep/x") == b"x\n"


def test_a_folder_is_emptied_whatever_the_names_in_it_are_but_for_those_that_stay(place, folder):
    for name in ("a", "b/c", "stays/x", "x=*"):
        place.ask("mkdir", path=f"{folder}/{name}", parents=1)
    place.write(folder.encode() + b"/\xff\n", b"")
    place.ask("empty", path=folder, without=["stays", "x=*"])
    assert set(place.list(folder)) == {"stays", "x=*"}
    assert set(place.list(folder + "/stays")) == {"x"}
    place.ask("empty", path=folder)
    assert not place.list(folder)
    assert refused(place.ask, "empty", path=folder + "/none") == "not_found"


def test_removing_manages_depth_and_closed_directories(place, folder):
    script = "import os\nos.chdir(%r)\nfor i in range(1500):\n os.mkdir('d'*20); os.chdir('d'*20)\nopen('f','w')" % folder
    assert place.run("python3", "-c", script).code == 0
    place.shell(f"mkdir {folder}/closed; echo x >{folder}/closed/x; chmod 0 {folder}/closed")
    place.ask("remove", path=folder + "/" + "d" * 20, recursive=1)
    place.ask("remove", path=folder + "/closed", recursive=1)
    assert place.list(folder) == {}


def test_moving_renames_also_between_file_systems(place, folder):
    place.write(folder + "/a", b"1")
    place.ask("move", **{"from": folder + "/a", "to": folder + "/b"})
    assert list(place.list(folder)) == ["b"]
    place.ask("mkdir", path=folder + "/d")
    place.ask("move", **{"from": folder + "/b", "to": folder + "/d/b"})
    away = f"/dev/shm/husk-agent-{os.getpid()}" if place.kind == "host" else "/tmp/d"
    place.ask("move", **{"from": folder + "/d", "to": away})
    assert place.read(away + "/b") == b"1" and place.list(folder) == {}
    place.ask("remove", path=away, recursive=1)
    assert refused(place.ask, "move", **{"from": folder + "/none", "to": folder + "/x"}) == "not_found"


def test_problems_have_stable_codes(place, folder):
    place.write(folder + "/file", b"x")
    place.shell(f"mkfifo {folder}/pipe; ln -s loop {folder}/loop")
    assert refused(place.read, folder + "/none") == "not_found"
    assert refused(place.read, folder) == "is_directory"
    assert refused(place.read, folder + "/file/x") == "not_directory"
    assert refused(place.read, folder + "/pipe") == "io"
    assert refused(place.read, folder + "/loop") == "io"
    assert refused(place.list, folder + "/file") == "not_directory"
    assert refused(place.read, "relative") == "bad_path"
    assert refused(place.read, "") == "bad_path"
    assert refused(place.read, "/" + "x" * 5000) == "bad_path"
    assert refused(place.ask, "stat", path=folder, follow=3) == "protocol"
    assert refused(place.ask, "read") == "protocol"
    assert refused(place.write, folder, b"x") == "is_directory"
    assert refused(place.write, folder + "/none/x", b"x") == "not_found"
    assert refused(place.write, folder + "/pipe", b"x") == "io"
    assert refused(place.write, folder + "/x", b"x", mode=999) == "protocol"


def test_walls_are_told_apart(walled):
    assert refused(walled.write, "/usr/x", b"x") == "read_only"
    walled.shell("mkdir -p closed; chmod 0 closed")
    assert refused(walled.read, "/workspace/closed/x") == "denied"
    walled.ask("remove", path="/workspace/closed")
    assert refused(walled.ask, "mkdir", path="/proc/x") in ("not_found", "denied")


def test_a_full_file_system_and_a_too_large_file_are_told_apart(make):
    place = make("host", launch=["--rlimit", "fsize=100000"])
    assert refused(place.write, place.inside + "/a", b"x" * 200_000) == "file_too_large"
    assert place.list(place.inside) == {}
    assert place.ask("hello")["version"] == "1"


def test_packed_files_are_unpacked_with_all_they_are(place, folder):
    place.shell(f"cd {folder}; mkdir -p from/sub to; printf x >from/sub/x; ln -s x from/sub/l; chmod 750 from/sub/x")
    archive = pack(place, folder + "/from")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        assert {"./sub/x", "./sub/l"} <= set(tar.getnames())
    unpack(place, folder + "/to", archive)
    assert place.read(folder + "/to/sub/x") == b"x"
    assert place.ask("stat", path=folder + "/to/sub/x")["mode"] == "750"
    assert place.ask("stat", path=folder + "/to/sub/l")["target"] == "x"


def test_what_is_to_be_left_out_is_named_as_it_is(place, folder):
    place.shell(f"cd {folder}; mkdir -p all/in all/out/deep all/sub/out; touch all/in/f all/out/deep/f 'all/o*' all/other all/sub/out/f")
    archive = pack(place, folder + "/all", without=["out", "o*"])
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        assert {name for name in tar.getnames() if name != "."} == {
            "./in", "./in/f", "./other", "./sub", "./sub/out", "./sub/out/f"
        }
    assert refused(pack, place, folder + "/all", without=["x"] * 65) == "protocol"


def pack(place, path, **more):
    with place.open("pack", path=path, **more) as connection:
        got = list(connection.frames())
    assert got[-1][0] == "Z"
    return b"".join(payload for _, payload in got[:-1])


def unpack(place, path, archive):
    with place.open("unpack", path=path) as connection:
        for at in range(0, len(archive), 65536):
            connection.send("D", archive[at : at + 65536])
        connection.send("Z")
        return connection.answer()


def test_what_cannot_be_packed_or_unpacked_is_told(place, folder):
    place.write(folder + "/file", b"x")
    assert refused(pack, place, folder + "/none") == "not_found"
    assert refused(pack, place, folder + "/file") == "not_directory"
    assert refused(unpack, place, folder, b"this is no archive" * 100_000) == "io"
    assert refused(unpack, place, folder + "/none", b"") == "not_found"


def peak_memory(place):
    """The largest any of the agent's own processes has been, in KiB."""
    worst = 0
    for pid in [place.process.pid, *descendants_of(place.process.pid)]:
        try:
            with open(f"/proc/{pid}/status") as file:
                text = file.read()
            if "husk-agent" in text:
                worst = max(worst, *(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM")))
        except (OSError, TypeError):
            pass
    return worst


def test_two_hundred_megabytes_go_through_in_constant_memory(host):
    part = os.urandom(65536)
    count, path = 3200, host.inside + "/big"
    wanted = hashlib.sha256(part * count).hexdigest()
    with host.open("write", path=path) as connection:
        for _ in range(count):
            connection.send("D", part)
        assert peak_memory(host) < 8192
        connection.send("Z")
        assert connection.answer()["bytes"] == str(count * 65536)
    for op, at in (("read", path), ("pack", host.inside)):
        seen, worst, digest = 0, 0, hashlib.sha256()
        with host.open(op, path=at) as connection:
            for kind, payload in connection.frames():
                if kind == "D":
                    seen += len(payload)
                    digest.update(payload)
                    if seen % (1 << 25) < 65536:
                        worst = max(worst, peak_memory(host))
        assert seen >= count * 65536 and 0 < worst < 8192, (op, seen, worst)
        assert op != "read" or digest.hexdigest() == wanted
    host.ask("remove", path=path)
