"""Plays lawful histories of a node, one after the other, and tells each finding: `python tests/play_histories.py 2000`.

The histories are those of `honest_history`, drawn from a seed, so that each can be played again: `--seed 7 --only 12`.
Several processes with seeds of their own share the work. The exit status is 1 where anything was found.
"""

import argparse
import asyncio
import sys
import traceback
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from honest import problems_after
from honest_history import OFTEN, STEPS, Step

from graph.store import Store, scratch_store


def history_of(seed: int, number: int) -> list[Step]:
    """Return the history of a number under a seed: up to 40 steps."""
    random = Random(f"{seed}/{number}")
    names = (*STEPS, *OFTEN)
    draw = random.randrange
    return [(random.choice(names), draw(12), draw(12), draw(12)) for _ in range(random.randint(6, 40))]


async def found_in(store: Store, auditor: Store, steps: list[Step], told: Counter[str] | None = None) -> list[str]:
    """Return the findings about a history; one that ends in an error of ours is one too."""
    try:
        return await problems_after(store, auditor, steps, told)
    except Exception as error:
        return [f"error: {type(error).__name__}: {error}\n{traceback.format_exc()}"]


async def fewest(store: Store, auditor: Store, steps: list[Step]) -> list[Step]:
    """Take out of a history with a finding each step without which it still has one."""
    size = len(steps) // 2
    while size:
        start = 0
        while start < len(steps):
            without = [*steps[:start], *steps[start + size :]]
            if await found_in(store, auditor, without):
                steps = without
            else:
                start += size
        size //= 2
    return steps


async def main(count: int, seed: int, only: int | None, shrink: bool) -> int:
    """Play histories; return how many had a finding."""
    failed = 0
    told = Counter[str]()
    with TemporaryDirectory() as folder:
        async with (
            scratch_store(Path(folder) / "node", brief=True) as store,
            scratch_store(Path(folder) / "auditor", brief=True) as auditor,
        ):
            for number in [only] if only is not None else range(count):
                steps = history_of(seed, number)
                if problems := await found_in(store, auditor, steps, told):
                    failed += 1
                    if shrink:
                        steps = await fewest(store, auditor, steps)
                        problems = await found_in(store, auditor, steps)
                    print(f"history {seed}/{number}: {steps}", *problems, sep="\n  ", flush=True)
                if number % 10 == 9:
                    print(f"{number + 1} histories, {failed} with a finding", flush=True)
    print(f"{count if only is None else 1} histories of seed {seed}, {failed} with a finding")
    print(", ".join(f"{name} {number}" for name, number in sorted(told.items())))
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="the number of one history, to be played again")
    parser.add_argument("--shrink", action="store_true", help="name the fewest steps that have a finding")
    arguments = parser.parse_args()
    sys.exit(bool(asyncio.run(main(arguments.count, arguments.seed, arguments.only, arguments.shrink))))
