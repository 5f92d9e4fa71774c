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
def spawn(shared_parent):
    """Makes kernels that are gone when the test is over."""
    made = []

    def make(**options):
        made.append(shared_parent.spawn(**options))
        return made[-1]

    yield make
    for kernel in made:
        kernel.close()
        kernel.exit_event()
        shared_parent.kernels.remove(kernel)


@pytest.fixture
def kernel(spawn):
    return spawn()
