"""Functions as criteria: their answers as findings."""

import reprlib
from collections.abc import Awaitable, Callable
from typing import Any

from a2ap.agent.drafts import CONFIDENCE
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.verifier.criteria import Judgement
from a2ap.verifier.errors import CriterionError, DeclineError
from a2ap.verifier.material import Material

Status = bool | FindingStatus | str | None
Answer = Status | tuple[Status, str] | Finding
"""An answer to a criterion.

`True` or `"PASS"`, `False` or `"FAIL"`, `None` or `"INCONCLUSIVE"`; any of these in a pair with the reason in words; or
a `Finding`, which also states a confidence from 0 to 1.
"""

Function = Callable[[Material], Answer]
AsyncFunction = Callable[[Material], Answer | Awaitable[Answer]]
Call = Callable[[AsyncFunction, Material], Any]
"""Calls a function, and waits for its answer if it is a coroutine."""

_STATUSES = {True: FindingStatus.PASS, False: FindingStatus.FAIL, None: FindingStatus.INCONCLUSIVE}
_EXPECTED = "True, False, None, PASS, FAIL, INCONCLUSIVE, one of these with a reason, or a Finding"


class FunctionCriterion:
    """A function that answers one criterion; `name` and `version` are those that the records of runs state."""

    def __init__(self, criterion: str, function: AsyncFunction, version: str, call: Call) -> None:
        self.name = name_of(function)
        self.version = version
        self._criterion = criterion
        self._function = function
        self._call = call

    def judge(self, material: Material) -> Judgement:
        """Call the function; raises CriterionError if it returns no finding, or declines without a reason."""
        try:
            answer = self._call(self._function, material)
        except DeclineError as error:
            if not str(error).strip():
                raise CriterionError(f"the criterion {self._criterion} declined without a reason") from error
            _check_characters(self._criterion, str(error))
            raise
        return Judgement((finding_of(self._criterion, answer),))


def finding_of(criterion: str, answer: object) -> Finding:
    """Return the finding that an answer states; without a stated confidence it is 0.9, or 0 if it is INCONCLUSIVE.

    Raises CriterionError for a value that is none.
    """
    if isinstance(answer, Finding):
        return _checked(criterion, answer)
    reason: object = ""
    status = answer
    if isinstance(answer, tuple) and len(answer) == 2:
        status, reason = answer
    found = _status_of(status)
    if found is None or not isinstance(reason, str):
        told = f"{reprlib.repr(answer)}, a {type(answer).__name__}"
        raise CriterionError(f"the criterion {criterion} returned {told}, not {_EXPECTED}")
    _check_characters(criterion, reason)
    return Finding(criterion, found, reason, 0.0 if found is FindingStatus.INCONCLUSIVE else CONFIDENCE)


def name_of(function: object) -> str:
    """Return the name of a function, or of the class of another callable."""
    return str(getattr(function, "__name__", type(function).__name__))


def _status_of(status: object) -> FindingStatus | None:
    if status is None or isinstance(status, bool):
        return _STATUSES[status]
    return FindingStatus(status) if isinstance(status, str) and status in set(FindingStatus) else None


def _checked(criterion: str, finding: Finding) -> Finding:
    if finding.criterion != criterion:
        raise CriterionError(f"the criterion {criterion} returned a finding about {finding.criterion}")
    status, confidence = _status_of(finding.status), _share_of(finding.confidence)
    if status is None or confidence is None:
        raise CriterionError(
            f"the criterion {criterion} returned a finding with the status {finding.status!r} and the confidence "
            f"{finding.confidence!r}, not one of {', '.join(FindingStatus)} and a number from 0 to 1"
        )
    evidence: object = finding.evidence
    if not isinstance(evidence, str):
        told = reprlib.repr(evidence)
        raise CriterionError(f"the criterion {criterion} returned a finding with the evidence {told}, not a text")
    _check_characters(criterion, evidence)
    return Finding(criterion, status, evidence, confidence)


def _share_of(confidence: object) -> float | None:
    if not isinstance(confidence, int | float) or isinstance(confidence, bool):
        return None
    return float(confidence) if 0 <= confidence <= 1 else None


def _check_characters(criterion: str, reason: str) -> None:
    """Raise CriterionError for a reason that cannot be signed."""
    try:
        reason.encode()
    except UnicodeEncodeError as error:
        told = reprlib.repr(reason)
        raise CriterionError(
            f"the criterion {criterion} returned the reason {told}, which has a lone surrogate"
        ) from error
