"""One warm parent for all tests, one kernel for each test that asks for it."""

import pytest
from harness import WarmParent


@pytest.fixture(scope="session")
def shared_parent():
    parent = WarmParent()
    yield parent
    parent.close()


@pytest.fixture
def parent():
    """A warm parent of one's own."""
    made = WarmParent()
    yield made
    made.close()


@pytest.fixture
def kernel(shared_parent):
    made = shared_parent.spawn()
    yield made
    made.close()
    made.exit_event()
    shared_parent.kernels.remove(made)
