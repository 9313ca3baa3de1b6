"""The tables of `docs/verification.md`, written out of `bench/results/verification.json`."""

from pathlib import Path
from typing import Any


def write_tables(page: Path, results: dict[str, Any]) -> None:
    """x."""
