"""What can go wrong when a transcript is read."""


class CaptionError(Exception):
    """A source cannot be read as captions or text."""
