"""Signing that keeps no other request waiting: a command that keeps a key may be slow."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from a2ap.signing.keys import Signer, SigningKey

Made = TypeVar("Made")


async def signed_aside(key: Signer, make: Callable[[], Made]) -> Made:
    """Return the result of `make`, which signs with `key`; in a thread, unless this process holds the key."""
    return make() if isinstance(key, SigningKey) else await asyncio.to_thread(make)
