"""A kernel without a warm parent: for kernelspecs, and for images that only have an interpreter."""

import argparse
import faulthandler
import os
import sys

from . import birth, linux, log, warmup
from .kernel import Kernel
from .sockets import read_connection_file


def main(arguments):
    parser = argparse.ArgumentParser(prog="kernel_main.py")
    parser.add_argument("-f", "--connection-file", required=True)
    options = parser.parse_args(arguments)
    log.use(os.dup(2))
    faulthandler.enable(log.descriptor())
    linux.name_process("husk-kernel")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    shell = warmup.build_shell()
    birth.prepare_interpreter(dict(os.environ))
    kernel = Kernel(shell, read_connection_file(options.connection_file))
    kernel.helper.watch_parent = "JPY_PARENT_PID" in os.environ
    kernel.start()
    try:
        kernel.run()
    except BaseException:
        log.failure("the kernel failed")
        os._exit(1)
    sys.exit(0)
