"""The errors of a verifier.

VerifierError
    ModelError          a language model did not answer, or not in the requested form
      ModelDownError      it answers no question now
    BudgetError         the budget for today is spent
      RequesterBudgetError  the budget of one requester is spent
    UnjudgeableError    a statement cannot be judged here, now or later; the request is declined
"""


class VerifierError(Exception):
    """A verifier cannot continue, or cannot do the requested work; the message gives the reason."""


class ModelError(VerifierError):
    """A language model did not answer, or did not answer in the requested form."""


class ModelDownError(ModelError):
    """A language model cannot be reached, or takes no questions now, regardless of the question."""


class BudgetError(VerifierError):
    """The budget for today is spent."""


class RequesterBudgetError(BudgetError):
    """The budget of one requester for today is spent; the request is declined."""


class UnjudgeableError(VerifierError):
    """A statement cannot be judged here; the message gives the requester the reason."""
