"""Somebody on this machine whom no query may reach."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest


@dataclass(slots=True)
class Listener:
    """Counts who came, and hangs up."""

    opened: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0), backlog=50))

    def named_in(self, query: str) -> str:
        """Return a query with the place where it listens."""
        return query.replace("HERE", f"127.0.0.1:{self.opened.getsockname()[1]}")

    def visits(self) -> int:
        """Return how many have connected since this was asked."""
        # The system takes connections without being asked, so all that were made by now wait here.
        self.opened.setblocking(False)
        number = 0
        while True:
            try:
                self.opened.accept()[0].close()
            except BlockingIOError:
                return number
            number += 1


@pytest.fixture
def listener() -> Iterator[Listener]:
    """Yield somebody who listens."""
    found = Listener()
    yield found
    found.opened.close()
