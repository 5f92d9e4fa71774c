"""Starts the warm parent: ``python -B zygote.py --socket PATH --log PATH``."""

import os
import sys

if __name__ == "__main__":
    guest = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = guest
    from husk_guest import zygote

    # A package keeps its own path, so user code never sees ours.
    sys.path.remove(guest)
    zygote.main(sys.argv[1:])
