"""When an epoch is due: after the policy's number of entries, and a twentieth of the log, since the last one.

The twentieth keeps the cost of all epochs together in proportion to the log: each reads all entries before it.
"""

SHARE = 20
LEAST_BEHIND = 1000
"""Number of entries that may always come while an epoch is estimated, in a log of any length."""


def entries_until_due(size: int, last_end: int, length: int) -> int:
    """Return the number of entries missing until an epoch is due, 0 if it is; the last one ended at `last_end`."""
    since = size - last_end
    missing = max(length - since, 0)
    # n more entries are a twentieth of the log when 20 · (since + n) ≥ size + n.
    short = size - SHARE * since
    return max(missing, -(-short // (SHARE - 1)) if short > 0 else 0)


def most_behind(log_size: int) -> int:
    """Return the number of later entries beyond which an epoch of the first `log_size` is refused as out of date."""
    return max(LEAST_BEHIND, log_size // SHARE)
