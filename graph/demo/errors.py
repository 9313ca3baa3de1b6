"""Errors of the demonstration."""


class DemoError(Exception):
    """The demonstration cannot go on; the message says why."""
