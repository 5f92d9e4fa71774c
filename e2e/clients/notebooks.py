"""Notebooks, and nbclient running them on the kernels of a gateway."""

import contextlib

import nbformat
from jupyter_server.gateway.gateway_client import GatewayClient
from nbclient import NotebookClient


def notebook(*cells: str):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3"}
    return made


@contextlib.contextmanager
def gateway_at(url: str):
    """Jupyter Server's gateway client is one for the whole process."""
    GatewayClient.clear_instance()
    GatewayClient.instance().url = url
    try:
        yield
    finally:
        GatewayClient.clear_instance()


def runner(cells, **options) -> NotebookClient:
    """nbclient, with the kernel manager that Jupyter Server has for gateways."""
    manager = "jupyter_server.gateway.managers.GatewayKernelManager"
    return NotebookClient(
        cells, kernel_manager_class=manager, kernel_name="python3", timeout=120, **options
    )


def outputs(cell, kind: str) -> list:
    return [output for output in cell.outputs if output.output_type == kind]


def printed(cell) -> str:
    return "".join(output.text for output in outputs(cell, "stream"))
