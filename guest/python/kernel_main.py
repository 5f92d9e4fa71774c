"""Turns this process into one kernel, without a warm parent: ``python kernel_main.py -f CONNECTION_FILE``."""

import os
import sys

if __name__ == "__main__":
    guest = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = guest
    from husk_guest import standalone

    sys.path.remove(guest)
    standalone.main(sys.argv[1:])
