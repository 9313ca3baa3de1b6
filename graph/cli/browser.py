"""Opens the home page of a server in the person's browser."""

import webbrowser
from threading import Thread

from graph.cli.terminal import remark


def open_home_page(address: str) -> None:
    """Open the home page in the browser of this machine, or say that there is none; return at once.

    The setting `BROWSER` names the command, as for every program that uses Python's `webbrowser`.
    """
    # Some browsers keep their command running until they are closed, so no end of this process waits for the thread.
    Thread(target=_open, args=(f"{address}/",), daemon=True).start()


def _open(address: str) -> None:
    if not webbrowser.open(address):
        remark(f"No browser could be opened. The home page is {address}")
