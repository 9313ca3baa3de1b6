"""The record of a verifier on hidden probes: how often it accepted wrong claims, and refused right ones.

The rules:

1. An answer counts if it was logged before the operator's first word on the statement, and names its target by hash; of
   several the verifier's last one before that. It counts as it was signed when it was logged, whether or not it was
   taken back later, or its key declared untrusted: a verifier that saw the answer may not erase its own. Answers of a
   probe's author, or of an agent that counts for the same seed, do not count.
2. A probe is about one criterion. To accept is to PASS it, to refuse is to FAIL it. A verifier that faults the claim
   under another criterion, and does not answer this one, has refused it otherwise: that is no mistake on a wrong claim,
   and may be none on a right one. A verifier that faults nothing and passes nothing abstains. Each of these has seen
   the probe.
3. A probe whose label is withdrawn, suspended or replaced counts for no verifier: its answer is not known.
4. The intervals are Wilson's, of 95 %.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict

_Z = 1.959963984540054
"""The standard normal quantile of 97.5 %."""


class Response(StrEnum):
    """The response of a verifier to a probe; otherwise means under other criteria than the probe's."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    REFUSED_OTHERWISE = "refused otherwise"
    ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """One verdict on the statement of a probe; `right` is the label under `criterion`."""

    verifier: str
    statement: str
    criterion: str
    right: bool
    verdict: Verdict
    findings: tuple[tuple[str, FindingStatus], ...]
    log_index: int


@dataclass(frozen=True, slots=True)
class Rate:
    """The number of times that something happened out of those it could; the value is None if it never could."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def interval95(self) -> tuple[float, float]:
        """The Wilson interval of 95 %; everything from 0 to 1 if nothing is known."""
        if not self.of:
            return 0.0, 1.0
        share, size = self.count / self.of, self.of
        spread = _Z * sqrt(share * (1.0 - share) / size + _Z * _Z / (4.0 * size * size))
        middle, scale = share + _Z * _Z / (2.0 * size), 1.0 + _Z * _Z / size
        low = (middle - spread) / scale if self.count else 0.0
        high = (middle + spread) / scale if self.count < size else 1.0
        return max(low, 0.0), min(high, 1.0)


@dataclass(frozen=True, slots=True)
class ProbeRecord:
    """The answers of a verifier: `false_accepts` are of wrong claims, `false_refusals` of right ones.

    The two that end in `otherwise` are of claims that it faulted under other criteria than the probe's.
    """

    false_accepts: Rate = Rate(0, 0)
    false_refusals: Rate = Rate(0, 0)
    wrong_refused_otherwise: Rate = Rate(0, 0)
    right_refused_otherwise: Rate = Rate(0, 0)
    abstentions: int = 0

    @property
    def seen(self) -> int:
        """The number of probes on which the verifier gave a verdict."""
        return self.false_accepts.of + self.false_refusals.of


def answered(criterion: str, verdict: Verdict, findings: Sequence[tuple[str, FindingStatus]]) -> FindingStatus:
    """Return the answer of a verdict under one criterion; a challenge that faults nothing by name faults it all."""
    own = {name: status for name, status in findings}
    if verdict is Verdict.VALIDATED:
        return own.get(criterion, FindingStatus.INCONCLUSIVE)
    if own.get(criterion) is FindingStatus.FAIL or verdict is Verdict.INVALID_SIGNATURE:
        return FindingStatus.FAIL
    names_a_fault = FindingStatus.FAIL in own.values()
    if verdict is Verdict.CHALLENGED and not names_a_fault and criterion not in own:
        return FindingStatus.FAIL
    return FindingStatus.INCONCLUSIVE


def probe_records(answers: Iterable[ProbeAnswer]) -> dict[str, ProbeRecord]:
    """Return the record of each verifier; answers that do not count (rule 1) are not among `answers`."""
    last: dict[tuple[str, str, str], ProbeAnswer] = {}
    for answer in sorted(answers, key=lambda one: one.log_index):
        last[answer.verifier, answer.statement, answer.criterion] = answer
    by_verifier: dict[str, list[ProbeAnswer]] = {}
    for answer in last.values():
        by_verifier.setdefault(answer.verifier, []).append(answer)
    return {verifier: _record(own) for verifier, own in by_verifier.items()}


def _record(answers: Sequence[ProbeAnswer]) -> ProbeRecord:
    right = [_response(one) for one in answers if one.right]
    wrong = [_response(one) for one in answers if not one.right]
    return ProbeRecord(
        false_accepts=Rate(wrong.count(Response.ACCEPTED), len(wrong)),
        false_refusals=Rate(right.count(Response.REFUSED), len(right)),
        wrong_refused_otherwise=Rate(wrong.count(Response.REFUSED_OTHERWISE), len(wrong)),
        right_refused_otherwise=Rate(right.count(Response.REFUSED_OTHERWISE), len(right)),
        abstentions=[*right, *wrong].count(Response.ABSTAINED),
    )


def _response(answer: ProbeAnswer) -> Response:
    """Return the response of a verifier to a probe."""
    status = answered(answer.criterion, answer.verdict, answer.findings)
    if status is not FindingStatus.INCONCLUSIVE:
        return Response.ACCEPTED if status is FindingStatus.PASS else Response.REFUSED
    faults = any(found is FindingStatus.FAIL for _, found in answer.findings)
    return Response.REFUSED_OTHERWISE if faults or answer.verdict is Verdict.CHALLENGED else Response.ABSTAINED
