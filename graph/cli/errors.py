"""The errors of commands beside those that protocol and platform raise."""


class CommandError(Exception):
    """A command cannot do its work; the message is one line with the reason."""
