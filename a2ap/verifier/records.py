"""Records of runs: the bytes read, the questions and the findings of each, so that a verdict can be run again.

A record is one JSON file, named for the response, in the folder `records`. It is written before anything is signed.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.durable_files import private_folder, write_private
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.verification_response import Verdict
from a2ap.verifier.criteria import MODEL_BYTES, Asked
from a2ap.verifier.errors import VerifierError
from a2ap.verifier.material import Material


@dataclass(frozen=True, slots=True)
class BytesRead:
    """A source by its hash, its length, and the half-open byte ranges of it that the statement cites."""

    document_hash: str
    length: int
    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run on one request; `versions` names the judge of each criterion, `method` the chosen method.

    `model_bytes` is the limit of a question to a model, if a model was one of the tools. `pack` is the hash of the
    run's Context Pack, and `boundary` limits its readers. These, and the `claim`, are missing from older records.
    """

    response_id: str
    judged_at: str
    request_id: str
    request_hash: str
    requester: str
    statement_id: str
    statement_hash: str
    method: str
    criteria: tuple[str, ...]
    versions: Mapping[str, str]
    read: tuple[BytesRead, ...]
    asked: tuple[Asked, ...]
    verdict: Verdict
    confidence: float
    findings: tuple[Finding, ...]
    reason: str | None
    model_bytes: int = MODEL_BYTES
    pack: str | None = None
    boundary: str | None = None
    claim: str | None = None


def bytes_read(material: Material) -> tuple[BytesRead, ...]:
    """Return the bytes that were read of the sources of a statement."""
    return tuple(
        BytesRead(
            name,
            len(source.data),
            tuple(
                (segment.byte_range.start, segment.byte_range.end)
                for segment in material.statement.evidence
                if segment.document_hash == name
            ),
        )
        for name, source in material.sources.items()
    )


class Records:
    """The records in a folder."""

    def __init__(self, folder: Path) -> None:
        private_folder(folder)
        self._folder = folder

    def keep(self, record: RunRecord) -> None:
        """Write a record, durably."""
        write_private(self._path(record.response_id), json.dumps(as_json(record), indent=1, ensure_ascii=False) + "\n")

    def find(self, response_id: str) -> RunRecord:
        """Return the record of a response. Raises VerifierError if there is none that can be read."""
        return read_run_record(self._path(response_id))

    def all(self) -> Iterator[RunRecord]:
        """Yield all records, in the order of their names."""
        for path in sorted(self._folder.glob("*.json")):
            yield read_run_record(path)

    def discard(self, response_id: str) -> None:
        """Remove a record."""
        self._path(response_id).unlink(missing_ok=True)

    def _path(self, response_id: str) -> Path:
        name = response_id.removeprefix("urn:uuid:")
        if not name or not all(character.isalnum() or character == "-" for character in name):
            raise VerifierError(f"{response_id!r} is not the id of a response")
        return self._folder / f"{name}.json"


def as_json(record: RunRecord) -> dict[str, Any]:
    """Return the JSON object of a record, as it is written."""
    return {
        "responseId": record.response_id,
        "judgedAt": record.judged_at,
        "request": {"id": record.request_id, "hash": record.request_hash, "requestingAgent": record.requester},
        "statement": {"id": record.statement_id, "hash": record.statement_hash, "claim": record.claim},
        "method": record.method,
        "modelBytes": record.model_bytes,
        "criteria": list(record.criteria),
        "versions": dict(record.versions),
        "read": [
            {"documentHash": one.document_hash, "length": one.length, "ranges": [list(pair) for pair in one.ranges]}
            for one in record.read
        ],
        "asked": [
            {"model": one.model, "instructions": one.instructions, "question": one.question, "answer": one.answer}
            for one in record.asked
        ],
        "verdict": record.verdict.value,
        "confidence": record.confidence,
        "findings": [
            {"criterion": f.criterion, "status": f.status.value, "evidence": f.evidence, "confidence": f.confidence}
            for f in record.findings
        ],
        "reason": record.reason,
        "pack": record.pack,
        "boundary": record.boundary,
    }


def read_run_record(path: Path) -> RunRecord:
    """Read a record. Raises VerifierError."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return RunRecord(
            response_id=kept["responseId"],
            judged_at=kept["judgedAt"],
            request_id=kept["request"]["id"],
            request_hash=kept["request"]["hash"],
            requester=kept["request"]["requestingAgent"],
            statement_id=kept["statement"]["id"],
            statement_hash=kept["statement"]["hash"],
            method=kept["method"],
            criteria=tuple(kept["criteria"]),
            versions=dict(kept["versions"]),
            read=tuple(
                BytesRead(one["documentHash"], one["length"], tuple((start, end) for start, end in one["ranges"]))
                for one in kept["read"]
            ),
            asked=tuple(Asked(**one) for one in kept["asked"]),
            verdict=Verdict(kept["verdict"]),
            confidence=kept["confidence"],
            findings=tuple(
                Finding(f["criterion"], FindingStatus(f["status"]), f["evidence"], f["confidence"])
                for f in kept["findings"]
            ),
            reason=kept["reason"],
            model_bytes=kept.get("modelBytes", MODEL_BYTES),
            pack=kept.get("pack"),
            boundary=kept.get("boundary"),
            claim=kept["statement"].get("claim"),
        )
    except FileNotFoundError as error:
        raise VerifierError(f"{path.stem} is no verdict of this verifier") from error
    except (ValueError, LookupError, TypeError) as error:
        raise VerifierError(f"{path} cannot be read: {error}") from error
