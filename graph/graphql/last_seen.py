"""What was last seen of each statement that somebody follows, so that a change can say what was before."""

NOT_SEEN = (0.0, False)
"""What a statement scores of which nothing was seen."""


class LastSeen:
    """The scores, and whether they were verified, of the `most` statements that were seen last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: dict[str, tuple[float, bool]] = {}

    def put(self, name: str, seen: tuple[float, bool]) -> tuple[float, bool]:
        """Remember what is seen of a statement now, and return what was seen of it before."""
        before = self._last.pop(name, NOT_SEEN)
        self._last[name] = seen
        if len(self._last) > self._most:
            del self._last[next(iter(self._last))]
        return before
