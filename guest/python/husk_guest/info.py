"""What a kernel says about itself: kernel_info and connect."""

import sys

import IPython

from . import __version__
from .messages import PROTOCOL_VERSION

_PYTHON = sys.version.split()[0]


def kernel_info(request):
    return {
        "status": "ok",
        "protocol_version": PROTOCOL_VERSION,
        "implementation": "husk",
        "implementation_version": __version__,
        "language_info": {
            "name": "python",
            "version": _PYTHON,
            "mimetype": "text/x-python",
            "codemirror_mode": {"name": "ipython", "version": sys.version_info[0]},
            "pygments_lexer": "ipython3",
            "nbconvert_exporter": "python",
            "file_extension": ".py",
        },
        "banner": "Husk %s, Python %s, IPython %s" % (__version__, _PYTHON, IPython.__version__),
        "debugger": False,
        "supported_features": [],
        "help_links": [
            {"text": "Python Reference", "url": "https://docs.python.org/%d.%d" % sys.version_info[:2]},
            {"text": "IPython Reference", "url": "https://ipython.readthedocs.io/en/stable/"},
        ],
    }


def connect_info(connection):
    ports = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port")
    return dict({port: connection[port] for port in ports}, status="ok")
