"""What can go wrong in a verifier.

VerifierError
    ModelError      a language model did not answer, or not in the form asked for
"""


class VerifierError(Exception):
    """A verifier cannot go on, or cannot do what it is asked; the message says why."""


class ModelError(VerifierError):
    """A language model did not answer, or did not answer in the form that was asked for."""
