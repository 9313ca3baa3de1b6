"""The functions of the Beta distribution that intervals need, written out: importing SciPy takes most of a second."""

from functools import lru_cache
from math import exp, lgamma, log, log1p


@lru_cache(maxsize=65_536)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of Beta(a, b), for a and b above 0, to about 1e-9.

    Uses Newton's method on the regularized incomplete beta function, kept within a bracket.
    """
    low, high = 0.0, 1.0
    x = a / (a + b)
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    for _ in range(100):
        error = _regularized_beta(x, a, b, log_beta) - probability
        low, high = (low, x) if error > 0 else (x, high)
        slope = exp((a - 1) * log(x) + (b - 1) * log1p(-x) - log_beta)
        step = x - error / slope if slope else low
        following = step if low < step < high else (low + high) / 2
        if abs(following - x) <= 1e-12:
            return following
        x = following
    return x


def trigamma(x: float) -> float:
    """Return the second derivative of the logarithm of the gamma function, for x above 0, to about 1e-12.

    Uses the recurrence up to 12, then the asymptotic series (DLMF 5.15.8).
    """
    total = 0.0
    while x < 12.0:
        total += 1.0 / (x * x)
        x += 1.0
    square = 1.0 / (x * x)
    series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - square * 5 / 66)))
    return total + 1.0 / x + square / 2 + square / x * series


def _regularized_beta(x: float, a: float, b: float, log_beta: float) -> float:
    """Return I_x(a, b) by its continued fraction (DLMF 8.17.22), from the side where it converges fast."""
    front = exp(a * log(x) + b * log1p(-x) - log_beta)
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(x, a, b) / a
    return 1.0 - front * _beta_fraction(1.0 - x, b, a) / b


def _beta_fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / ((1.0 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 100_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / ((1.0 + term * d) or tiny)
            c = (1.0 + term / c) or tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value
