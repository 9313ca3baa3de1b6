"""Texts of records, as the graph keeps them."""

MAX_TEXT = 512
"""Bytes; what is longer is in the bytes of the record and not in the graph, whose indices have a limit."""


def short_text(value: object) -> str | None:
    """Return a text that the graph can keep; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return value if len(value.encode()) <= MAX_TEXT else None
    except UnicodeEncodeError:
        return None
