"""Texts of records, as the graph keeps them."""

MAX_TEXT = 512
"""Maximum bytes; longer text is only in the bytes of the record, because the graph's indexes have a limit."""


def short_text(value: object) -> str | None:
    """Return a text that the graph can keep; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return value if len(value.encode()) <= MAX_TEXT else None
    except UnicodeEncodeError:
        return None
