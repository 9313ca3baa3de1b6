"""Reads a verdict by its column: its answers and its meaning for the claim (docs/consensus.md, "Columns")."""

from a2ap.messages.finding import FindingStatus
from a2ap.messages.verification_response import Verdict
from graph.scoring.unit import unit

Answer = tuple[FindingStatus, float]
Findings = tuple[tuple[str, FindingStatus, float], ...]


def meaning_of(verdict: Verdict, findings: Findings, criteria: tuple[str, ...]) -> str:
    """Return the meaning of a verdict of this column for the claim (docs/consensus.md, "Columns")."""
    match verdict:
        case Verdict.VALIDATED:
            return "passes what it names PASS, each criterion by itself"
        case Verdict.INSUFFICIENT_EVIDENCE:
            return "the evidence decides nothing: what it passed before is taken back, and only a FAIL counts"
        case Verdict.CHALLENGED if any(found in criteria for found in _faulted(findings)):
            return "counts against what it names FAIL; what it lets pass is no vote"
        case Verdict.CHALLENGED if _faulted(findings):
            return "names FAIL what the policy does not ask for, and counts against nothing that it asks for"
        case Verdict.CHALLENGED:
            return "names nothing FAIL, so it counts against all that it does not pass"
        case _:
            return "the statement is not its author's: counts against every criterion"


def answers_of(verdict: Verdict, confidence: float, findings: Findings, criteria: tuple[str, ...]) -> dict[str, Answer]:
    """Return the answers of a verdict, for those of the criteria that it answers."""
    found = {name: (status, unit(sure)) for name, status, sure in findings if name in criteria}
    against = (FindingStatus.FAIL, unit(confidence))
    not_passed = {name: answer for name, answer in found.items() if answer[0] is not FindingStatus.PASS}
    fails = {name: answer for name, answer in found.items() if answer[0] is FindingStatus.FAIL}
    match verdict:
        case Verdict.VALIDATED:
            return found
        case Verdict.INSUFFICIENT_EVIDENCE:
            return dict.fromkeys(criteria, (FindingStatus.INCONCLUSIVE, 0.0)) | fails
        case Verdict.CHALLENGED if _faulted(findings):
            # If these are criteria that the policy does not ask for, it says nothing against those that it does.
            return not_passed
        case Verdict.CHALLENGED:
            # It faults nothing by name, so it faults all that it does not pass, and all if it passes all.
            passed = found.keys() - not_passed.keys()
            return dict.fromkeys([name for name in criteria if name not in passed] or criteria, against)
        case _:
            return dict.fromkeys(criteria, against)


def _faulted(findings: Findings) -> list[str]:
    return [name for name, status, _ in findings if status is FindingStatus.FAIL]
