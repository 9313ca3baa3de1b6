"""A process that pulls a peer, for tests that kill it: `python pull_process.py ORIGIN`.

The environment names the graph as it does for `writer_process.py`.
"""

import asyncio
import os
import sys

from writer_process import opened

from graph.federation.here import Here
from graph.federation.pull import pull


async def main(origin: str) -> None:
    """Pull once, to the end."""
    async with opened(os.environ) as platform:
        report = await pull(Here.of(platform), origin)
        print(report.taken, flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
