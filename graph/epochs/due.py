"""When an epoch is due: after so many entries as the policy says, and a twentieth of the log, since the last one.

The twentieth keeps the cost of all epochs together in proportion to the log: each reads all that came before it.
"""

SHARE = 20
LEAST_BEHIND = 1000
"""So many entries may come while an epoch is estimated, however short the log is."""


def entries_until_due(size: int, last_end: int, length: int) -> int:
    """Return how many entries are missing until an epoch is due, 0 where it is; the last one ended at `last_end`."""
    since = size - last_end
    missing = max(length - since, 0)
    # n more entries are a twentieth of the log when 20 · (since + n) ≥ size + n.
    short = size - SHARE * since
    return max(missing, -(-short // (SHARE - 1)) if short > 0 else 0)


def most_behind(log_size: int) -> int:
    """Return after how many entries more an epoch of the first `log_size` is refused: it would be out of date."""
    return max(LEAST_BEHIND, log_size // SHARE)
