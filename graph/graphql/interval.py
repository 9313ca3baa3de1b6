"""Intervals of probabilities."""

import strawberry


@strawberry.type(description="An interval of probabilities.")
class Interval:
    """Both ends belong to it."""

    low: float
    high: float
