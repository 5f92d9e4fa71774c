"""What was printed is sent before anything that comes after it."""

import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))

from husk_guest.interrupts import Interrupts  # noqa: E402
from husk_guest.outlet import Outlet  # noqa: E402


class SlowIopub:
    """Sends when it is told to."""

    def __init__(self):
        self.asked = threading.Event()
        self.allowed = threading.Event()
        self.sent = []

    def publish(self, msg_type, content, parent, topic=None, when_slow=None):
        self.asked.set()
        assert self.allowed.wait(30)
        self.sent.append(content["text"])
        return True


class NothingCaptured:
    def has_data(self):
        return False

    def take(self, final):
        return []


def test_whoever_waits_for_all_output_waits_for_what_the_helper_has_taken_but_not_sent():
    iopub = SlowIopub()
    outlet = Outlet(iopub, NothingCaptured(), Interrupts(), lambda: None)
    outlet.write("stdout", "the end")
    helper = threading.Thread(target=outlet.flush)
    helper.start()
    assert iopub.asked.wait(30)
    assert not outlet.pending
    seen_after_sync = []
    main = threading.Thread(target=lambda: (outlet.sync(), seen_after_sync.extend(iopub.sent)))
    main.start()
    main.join(0.2)
    iopub.allowed.set()
    main.join(30)
    helper.join(30)
    assert seen_after_sync == ["the end"]
