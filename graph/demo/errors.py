"""What can go wrong in the demonstration.

DemoError
    CaptionError    the source file cannot be read as captions
    ModelError      a language model did not answer, or not in the form asked for
"""


class DemoError(Exception):
    """The demonstration cannot go on; the message says why."""


class CaptionError(DemoError):
    """The source file cannot be read as captions."""


class ModelError(DemoError):
    """A language model did not answer, or did not answer in the form that was asked for."""
