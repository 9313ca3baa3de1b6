"""A judged run, and the port through which a platform keeps it as a Context Pack."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from a2ap.client import Client
from a2ap.messages.finding import Finding
from a2ap.messages.verification_response import Verdict
from a2ap.verifier.criteria import Asked
from a2ap.verifier.material import Material
from a2ap.verifier.records import RunRecord


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """One judged run: `versions` names the judge of each criterion; `at` is an RFC 3339 time.

    `deterministic` means that no model had a part in the findings.
    """

    at: str
    method: str
    material: Material
    versions: Mapping[str, str]
    asked: Sequence[Asked]
    findings: Sequence[Finding]
    verdict: Verdict
    confidence: float
    deterministic: bool


class Packs(Protocol):
    """Keeps each run as a Context Pack, and submits the pack before the verdict that names it."""

    def keep(self, run: JudgedRun) -> str:
        """Keep the pack of a run, durably; return its hash."""
        ...

    def hand_in(self, record: RunRecord, client: Client) -> None:
        """Submit the pack of a recorded run.

        Returns without it if it is lost here or refused for good; the verdict then names a missing pack. Raises
        `UnreachableError`, and `ProblemError` if the platform may accept it later.
        """
        ...
