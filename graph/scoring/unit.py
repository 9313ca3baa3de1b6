"""Numbers that are probabilities."""


def unit(number: float) -> float:
    """Return the number within 0..1, and 0 for what is not a number."""
    return number if 0.0 <= number <= 1.0 else float(number > 1.0)
