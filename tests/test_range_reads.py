"""What an evidence check reads of a large source: the cited bytes and the beginning, and never the whole at once."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from builders import SOURCE, segment, signed_statement
from test_content_store import content, s3_service

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.content.content_store import ContentStore
from graph.evidence.checking import look_at
from graph.evidence.machine_check import CheckStatus
from graph.evidence.reader import EvidenceReader
from graph.evidence.reading import MAX_WHOLE_DOCUMENT
from graph.evidence.source_text import HEAD

__all__ = ["content", "s3_service"]

LARGE = b"%d bytes or so of a long record.\n" % MAX_WHOLE_DOCUMENT * (MAX_WHOLE_DOCUMENT // 30) + SOURCE
PIECE = 1 << 20


class CountingObjects:
    """Objects that note how much of them is read at a time."""

    def __init__(self, objects: Any) -> None:
        self._objects = objects
        self.read_lengths: list[int] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._objects, name)

    async def read(self, name: str, start: int, end: int | None) -> bytes:
        found = bytes(await self._objects.read(name, start, end))
        self.read_lengths.append(len(found))
        return found


def statement_of(**changes: Any) -> ProvenanceStatement:
    evidence = [segment(source=LARGE) | changes, segment("café", source=LARGE)]
    statement = read_message(signed_statement(evidence=evidence))
    assert isinstance(statement, ProvenanceStatement)
    return statement


async def test_of_a_large_source_a_check_reads_the_cited_bytes(content: ContentStore, tmp_path: Path) -> None:
    assert len(LARGE) > MAX_WHOLE_DOCUMENT
    (name,) = await content.put_many([LARGE])
    objects = CountingObjects(content.objects)
    reader = EvidenceReader(ContentStore(objects, tmp_path / "spool"))

    async def look(statement: ProvenanceStatement) -> CheckStatus:
        objects.read_lengths.clear()
        remainders: Mapping[str, Any] = {}
        return (
            await look_at(reader, statement, [Boundary.PUBLIC] * 2, held=[name], remainders=remainders)
        ).check.status

    true, false = statement_of(), statement_of(quoteText="not there")
    cited = [one.byte_range.end - one.byte_range.start for one in true.evidence]
    assert await look(true) is CheckStatus.PASS
    assert sorted(objects.read_lengths) == sorted([HEAD, *cited])
    # A FAIL is believed once the source is known to be whole, which is hashed piece by piece and once.
    assert await look(false) is CheckStatus.FAIL
    assert max(objects.read_lengths) == PIECE
    assert sum(objects.read_lengths) == HEAD + sum(cited) + len(LARGE)
    assert await look(false) is CheckStatus.FAIL
    assert sorted(objects.read_lengths) == sorted([HEAD, *cited])


@pytest.mark.parametrize("start", [0, 5_000_000])
async def test_a_range_of_a_large_object_is_all_that_is_sent(content: ContentStore, start: int) -> None:
    (name,) = await content.put_many([LARGE])
    assert await content.get(name, start, start + 10) == LARGE[start : start + 10]
    assert sha256_digest(LARGE) == name
