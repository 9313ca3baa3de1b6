"""The errors of a verifier.

VerifierError
    BudgetError         the budget for today is spent
      RequesterBudgetError  the budget of one requester is spent
    UnjudgeableError    a statement cannot be judged here, now or later; the request is declined
"""


class VerifierError(Exception):
    """A verifier cannot continue, or cannot do the requested work; the message gives the reason."""


class BudgetError(VerifierError):
    """The budget for today is spent."""


class RequesterBudgetError(BudgetError):
    """The budget of one requester for today is spent; the request is declined."""


class UnjudgeableError(VerifierError):
    """A statement cannot be judged here; the message gives the requester the reason."""
