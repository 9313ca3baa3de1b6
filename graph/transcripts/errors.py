"""Errors of reading a transcript."""


class CaptionError(Exception):
    """A source cannot be read as captions or text."""
