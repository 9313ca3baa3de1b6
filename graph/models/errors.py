"""The errors of models.

ModelError          a model is not installed, cannot be read, or did not answer in the requested form
  ModelDownError      it answers no question now
"""


class ModelError(Exception):
    """A model is not installed, cannot be read, or did not answer in the requested form."""


class ModelDownError(ModelError):
    """A language model cannot be reached, or takes no questions now, regardless of the question."""
