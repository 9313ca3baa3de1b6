"""The errors of a verifier.

VerifierError
├── BudgetError             the budget for today is spent
│   └── RequesterBudgetError  the budget of one requester is spent
├── CriterionError          a criterion is registered wrongly, or answers with a value that is no finding
├── DeclineError            a statement cannot be judged here, now or later; the request is declined
└── RetryError              a request cannot be answered for now
    └── OutageError           no request can be answered for now

A criterion raises `DeclineError`, `RetryError` or `OutageError`; after any other exception it is INCONCLUSIVE. Of their
messages that of `DeclineError` alone is published.
"""

from a2ap.errors import A2APError


class VerifierError(A2APError):
    """A verifier cannot continue, or cannot do the requested work; the message gives the reason."""


class BudgetError(VerifierError):
    """The budget for today is spent."""


class RequesterBudgetError(BudgetError):
    """The budget of one requester for today is spent; the request is declined."""


class CriterionError(VerifierError):
    """A criterion is registered twice or not at all, or answers with a value that is no finding."""


class DeclineError(VerifierError):
    """A statement cannot be judged here; the message gives the requester the reason."""


class RetryError(VerifierError):
    """A request cannot be answered for now: it is given back, tried again later, and declined after three failures.

    `part` names the part of the verifier that failed. The decline names the part and the number of failures; the
    message stays with the verifier, in the line that `say` gets, because it may tell secrets of the machine.
    """

    def __init__(self, message: str, part: str = "the criterion") -> None:
        super().__init__(message)
        self.part = part


class OutageError(RetryError):
    """No request can be answered for now: all are given back, and none is leased for a while."""
