"""How a verifier did on hidden probes: how often it accepted what is wrong, and refused what is right.

The rules:

1. An answer counts that was logged after the commitment and before the label that revealed it, and names its target by
   hash; of several the verifier's last one before that. It counts whether or not it was taken back later: who saw the
   answer may not erase its own.
2. To accept is to PASS the criterion, to refuse it is to FAIL it. Whoever comes to no conclusion does neither, and the
   probe counts among those that it has seen.
3. A probe whose label is withdrawn, suspended or replaced counts for nobody: nothing is known of it.
4. The intervals are Wilson's, of 95 %.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from a2ap.verification_response import FindingStatus, Verdict

_Z = 1.959963984540054
"""The standard normal quantile of 97.5 %."""


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
    """How often something happened out of how many times it could; the value is None where it never could."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        """Return the share, 0 to 1."""
        return self.count / self.of if self.of else None

    @property
    def interval95(self) -> tuple[float, float]:
        """Return the Wilson interval of 95 %; everything from 0 to 1 where nothing is known."""
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
    """What a verifier answered: `false_accepts` are of wrong claims, `false_refusals` of right ones."""

    false_accepts: Rate = Rate(0, 0)
    false_refusals: Rate = Rate(0, 0)
    abstentions: int = 0

    @property
    def seen(self) -> int:
        """Return the number of probes that the verifier gave a verdict on."""
        return self.false_accepts.of + self.false_refusals.of


def answered(criterion: str, verdict: Verdict, findings: Sequence[tuple[str, FindingStatus]]) -> FindingStatus:
    """Return what a verdict answers under one criterion; a challenge that faults nothing by name faults it all."""
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
    given = [(one.right, answered(one.criterion, one.verdict, one.findings)) for one in answers]
    right = [status for is_right, status in given if is_right]
    wrong = [status for is_right, status in given if not is_right]
    return ProbeRecord(
        false_accepts=Rate(wrong.count(FindingStatus.PASS), len(wrong)),
        false_refusals=Rate(right.count(FindingStatus.FAIL), len(right)),
        abstentions=[*right, *wrong].count(FindingStatus.INCONCLUSIVE),
    )
