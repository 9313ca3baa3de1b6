"""What can go wrong in a command beside what protocol and platform raise."""


class CommandError(Exception):
    """A command cannot do what it was asked to; the message is one line that says why."""
