"""What can go wrong in a verifier.

VerifierError
    ModelError          a language model did not answer, or not in the form asked for
      ModelDownError      it answers nobody now, whatever is asked
    BudgetError         what may be spent today is spent
      RequesterBudgetError  by one requester
    UnjudgeableError    a statement cannot be judged here, now or later; the request is declined
"""


class VerifierError(Exception):
    """A verifier cannot go on, or cannot do what it is asked; the message says why."""


class ModelError(VerifierError):
    """A language model did not answer, or did not answer in the form that was asked for."""


class ModelDownError(ModelError):
    """A language model cannot be reached, or takes no questions now; that has nothing to do with what is asked."""


class BudgetError(VerifierError):
    """What may be spent today is spent."""


class RequesterBudgetError(BudgetError):
    """One requester has had what one may have today; the request is declined."""


class UnjudgeableError(VerifierError):
    """A statement cannot be judged here; the message says why to whoever asked."""
