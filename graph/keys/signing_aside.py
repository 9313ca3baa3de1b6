"""Signing that keeps nobody else waiting: a command that keeps a key may take its time."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from a2ap.keys import Signer, SigningKey

Made = TypeVar("Made")


async def signed_aside(key: Signer, make: Callable[[], Made]) -> Made:
    """Return what `make` makes with signatures of `key`; in a thread, unless the key is here."""
    return make() if isinstance(key, SigningKey) else await asyncio.to_thread(make)
