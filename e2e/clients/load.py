"""Clients that keep kernels busy, and have a witness for everything they hear."""

import asyncio
import collections
import random
import time

from channels import Channels
from witness import Fault, Witness, cell

PATIENCE = 120


class Worker:
    """Sends one cell after the other, each when the last one has been answered."""

    def __init__(self, server, number: int, kernel: str):
        self.server, self.number, self.kernel = server, number, kernel
        self.witness = Witness(number)
        self.sent = 0
        self.taken = []
        self.returns = 0

    async def connect(self) -> None:
        self.channels = await Channels.open(self.server, self.kernel, small=self.slow)
        await self.channels.answers(await self.channels.send("kernel_info_request", {}))

    slow = False

    async def work(self, until: float) -> None:
        while time.monotonic() < until:
            begin = time.monotonic()
            await self.ask()
            await self.meanwhile()
            while not self.answered():
                await self.read()
            self.taken.append(time.monotonic() - begin)
            await asyncio.sleep(random.uniform(0, 0.1))

    async def ask(self) -> None:
        code, _ = cell(self.number, self.sent)
        await self.channels.execute(code, f"load {self.number} {self.sent}")
        self.sent += 1

    async def meanwhile(self) -> None:
        """What a client does while its cell runs: nothing, as a rule."""

    def answered(self) -> bool:
        return self.witness.replies == self.sent == self.witness.ended[self.number]

    async def read(self) -> None:
        message = await self.channels.read()
        if message is None:
            raise Fault(f"client {self.number} was disconnected")
        self.witness.hear(message)

    async def finish(self, sent: dict) -> None:
        """Hears the rest of what everybody on its kernel has sent."""
        while any(self.witness.ended[client] < count for client, count in sent.items()):
            await self.read()
        for message in await self.channels.leave():
            self.witness.hear(message)


class Returner(Worker):
    """Leaves while its cells run, and comes back for what it missed."""

    async def meanwhile(self) -> None:
        if self.sent % 4 != 3:
            return
        for message in await self.channels.leave():
            self.witness.hear(message)
        await asyncio.sleep(random.uniform(0, 0.3))
        session = self.channels.session
        self.channels = await Channels.open(self.server, self.kernel, session=session)
        self.witness.returned()
        self.returns += 1


class Dawdler(Worker):
    """Asks nothing, and reads much more slowly than its kernel talks."""

    slow = True

    async def work(self, until: float) -> None:
        while time.monotonic() < until:
            try:
                async with asyncio.timeout(until - time.monotonic()):
                    await asyncio.sleep(0.2)
                    await self.read()
            except TimeoutError:
                return


def worker(server, number: int, kernel: str, returning: bool) -> Worker:
    if number % 40 == 7:
        return Dawdler(server, number, kernel)
    if returning and number % 10 == 3:
        return Returner(server, number, kernel)
    return Worker(server, number, kernel)


async def run(workers: list, seconds: float) -> None:
    await asyncio.gather(*(worker.connect() for worker in workers))
    until = time.monotonic() + seconds
    await asyncio.gather(*(worker.work(until) for worker in workers))
    sent = collections.defaultdict(dict)
    for worker in workers:
        sent[worker.kernel][worker.number] = worker.sent
    async with asyncio.timeout(PATIENCE):
        await asyncio.gather(*(worker.finish(sent[worker.kernel]) for worker in workers))
