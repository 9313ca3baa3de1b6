"""Clamp numbers to probabilities."""


def unit(number: float) -> float:
    """Return the number clamped to 0..1, and 0 for NaN."""
    return number if 0.0 <= number <= 1.0 else float(number > 1.0)
