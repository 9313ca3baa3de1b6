"""A server in a process of its own, for tests that run several and kill some.

`python writer_process.py SEED COUNT` appends statements of agent SEED and of an agent that all such processes share,
and prints each receipt, as a line of JSON, once it has it. It ends after COUNT statements of each, or, with 0, when it
is killed. The environment names the graph as it does for `a2ap serve`, or an endpoint, as JSON in A2AP_TEST_ENDPOINT.
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count

from builders import segment, signed_registration, signed_statement
from servers import receipts_of, server

from graph.database.endpoint import Endpoint
from graph.log.entry import Receipt, as_row
from graph.platform import Platform, open_platform
from graph.settings import Settings

SHARED = 77
BATCH = 10


def claims(seed: int, first: int) -> list[bytes]:
    """Return a batch of statements, numbered from `first` on."""
    evidence = [segment()]
    return [
        signed_statement(seed, claim=f"Claim {number} of {seed}.", evidence=evidence)
        for number in range(first, first + BATCH)
    ]


@asynccontextmanager
async def opened(env: Mapping[str, str]) -> AsyncIterator[Platform]:
    """Run a platform where the environment says."""
    settings = Settings.from_environment(env)
    if "A2AP_TEST_ENDPOINT" in env:
        async with server(Endpoint(**json.loads(env["A2AP_TEST_ENDPOINT"])), settings.data) as platform:
            yield platform
    else:
        async with open_platform(settings) as platform:
            yield platform


async def main(seed: int, number: int) -> None:
    """Append until the count is reached, if there is one."""
    async with opened(os.environ) as platform:
        report(await platform.submit_many([signed_registration(seed), signed_registration(SHARED)]))
        for first in range(0, number, BATCH) if number else count(0, BATCH):
            report(await platform.submit_many([*claims(seed, first), *claims(SHARED, first)]))


def report(outcomes: list[Receipt | Exception]) -> None:
    """Print the receipts, of which there must be one for each."""
    for receipt in receipts_of(outcomes):
        print(json.dumps({"created": receipt.created, **as_row(receipt.entry)}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
