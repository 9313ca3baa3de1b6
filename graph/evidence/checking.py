"""One check of a statement by the machine: read the cited bytes, compare, and blame no statement for a damaged disk.

A part of a source cannot be hashed, and a source that has lost its end is shorter than it was. So before a FAIL is
believed, every source that it rests on is read whole, once in the life of the process.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from a2ap.boundary import Boundary
from a2ap.messages.statement import ProvenanceStatement
from graph.evidence.cited_bytes import CitedBytes
from graph.evidence.machine import MachineResult, check_statement
from graph.evidence.machine_check import CheckStatus
from graph.evidence.reader import EvidenceReader
from graph.evidence.remainders import Remainder
from graph.evidence.source_text import SourceText

# Evidence of more bytes than this, and pages of PDF, whose text may be much longer than they are, are compared in a
# thread, so that others are answered meanwhile.
_LONG_EVIDENCE = 1024 * 1024


async def look_at(
    evidence: EvidenceReader,
    statement: ProvenanceStatement,
    classes: Sequence[Boundary | None],
    *,
    held: Collection[str],
    remainders: Mapping[str, Remainder],
    given: Mapping[str, SourceText] | None = None,
) -> MachineResult:
    """Return the machine's result for a statement; `classes` as in `graph.evidence.machine.check_statement`.

    `held` are the hashes of the sources whose bytes are in the content store, `remainders` the remainders of redacted
    sources, by the hashes of the sources. `given` as in `EvidenceReader.cited_bytes`, and raises as that does.
    """
    result = await _check(statement, await evidence.cited_bytes(statement, held, remainders, given), classes)
    if result.whole.status is not CheckStatus.FAIL:
        return result
    cited = {segment.document_hash for segment in statement.evidence if segment.document_hash}
    left = {name: one for name, one in remainders.items() if name not in cited or await evidence.sound(one.name)}
    whole = {name for name in held if name not in cited or await evidence.sound(name)}
    if len(left) == len(remainders) and len(whole) == len(held):
        return result
    return await _check(statement, await evidence.cited_bytes(statement, whole, left, given), classes)


async def _check(
    statement: ProvenanceStatement, cited: Sequence[CitedBytes | None], classes: Sequence[Boundary | None]
) -> MachineResult:
    found = [one for one in cited if one is not None]
    has_pages = any(one.shown is not None and one.shown.pages for one in found)
    if has_pages or sum(len(one.content) for one in found) > _LONG_EVIDENCE:
        return await asyncio.to_thread(check_statement, statement, cited, classes)
    return check_statement(statement, cited, classes)
