"""Intervals of probabilities."""

import strawberry


@strawberry.type(description="An interval of probabilities.")
class Interval:
    """A closed interval."""

    low: float = strawberry.field(description="The lower end.")
    high: float = strawberry.field(description="The upper end.")

    @classmethod
    def of(cls, ends: tuple[float, float] | None) -> "Interval | None":
        """Return the interval between two ends, None without ends."""
        return None if ends is None else cls(low=ends[0], high=ends[1])
