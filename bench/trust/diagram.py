"""The diagrams as SVG: the reliability of posteriors, and the share of wrong claims verified by operators."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_SIDE, _LEFT, _TOP = 360, 64, 24
_COLOURS = ("#0969da", "#bf8700", "#8250df", "#cf222e", "#1a7f37")
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description" \
font-family="system-ui, sans-serif" font-size="13">
  <title id="title">{title}</title>
  <desc id="description">{description}</desc>
  <style>
    .frame {{ fill: #f6f8fa; stroke: #57606a }}
    .exact {{ stroke: #57606a; stroke-dasharray: 4 4 }}
    text {{ fill: #424a53 }}
    @media (prefers-color-scheme: dark) {{ .frame {{ fill: #161b22; stroke: #8b949e }} text {{ fill: #b1bac4 }} }}
  </style>
"""


def draw_reliability(series: Mapping[str, Sequence[Mapping[str, float]]]) -> str:
    """Return the diagram of named series of bins, each with `posterior`, `right` and `claims`.

    The area of a point grows with its claims; on the dashed line posterior and share right are equal.
    """
    said = "; ".join(f"{name}: " + ", ".join(_say(one) for one in bins) for name, bins in series.items())
    ticks = [number / 5 for number in range(6)]
    parts = [
        *_frame("Reliability diagram of the default consensus", said, "posterior", "share right", 190),
        f'  <path class="exact" d="M{_LEFT} {_TOP + _SIDE} L{_LEFT + _SIDE} {_TOP}"/>\n',
        *(_tick_below(value, value) for value in ticks),
        *(_tick_beside(value) for value in ticks),
    ]
    for number, (name, bins) in enumerate(series.items()):
        places = [_place(one["posterior"], one["right"]) for one in bins]
        total = sum(one["claims"] for one in bins)
        areas = [2 + 10 * (one["claims"] / total) ** 0.5 for one in bins]
        parts += _draw_series(name, places, areas, number)
    return "".join([*parts, "</svg>\n"])


def draw_price(series: Mapping[str, Sequence[float]]) -> str:
    """Return the diagram of named series: for 0, 1, 2, … endorsed operators, the share of wrong claims verified."""
    said = "; ".join(f"{name}: " + ", ".join(f"{share:.3f}" for share in shares) for name, shares in series.items())
    most = max(len(shares) for shares in series.values()) - 1
    parts = [
        *_frame(
            "Wrong claims verified by an adaptive attacker", said, "endorsed operators", "share of wrong claims", 330
        ),
        *(_tick_below(number / most, number) for number in range(most + 1)),
        *(_tick_beside(number / 5) for number in range(6)),
    ]
    for number, (name, shares) in enumerate(series.items()):
        places = [_place(count / most, share) for count, share in enumerate(shares)]
        parts += _draw_series(name, places, [3.0] * len(places), number)
    return "".join([*parts, "</svg>\n"])


def _frame(title: str, description: str, below: str, beside: str, legend: int) -> list[str]:
    """Return the head of a diagram with the names of its axes, and `legend` units of space at its right."""
    width, height = _LEFT + _SIDE + legend, _TOP + _SIDE + 56
    return [
        _HEAD.format(width=width, height=height, title=escape(title), description=escape(description)),
        f'  <rect class="frame" x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>\n',
        f'  <text x="{_LEFT + _SIDE / 2}" y="{_TOP + _SIDE + 44}" text-anchor="middle">{below}</text>\n',
        f'  <text transform="translate(18 {_TOP + _SIDE / 2}) rotate(-90)" text-anchor="middle">{beside}</text>\n',
    ]


def _say(one: Mapping[str, float]) -> str:
    return f"{one['right']:.3f} right at {one['posterior']:.3f}"


def _tick_below(share: float, value: float) -> str:
    x, _ = _place(share, 0)
    return f'  <text x="{x:.1f}" y="{_TOP + _SIDE + 20}" text-anchor="middle">{value:g}</text>\n'


def _tick_beside(value: float) -> str:
    _, y = _place(0, value)
    return f'  <text x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>\n'


def _draw_series(name: str, places: Sequence[tuple[float, float]], radii: Sequence[float], number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    legend = _TOP + 20 + 24 * number
    return [
        f'  <polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.2"/>\n',
        *(
            f'  <circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{colour}" fill-opacity="0.6"/>\n'
            for (x, y), radius in zip(places, radii, strict=True)
        ),
        f'  <circle cx="{_LEFT + _SIDE + 20}" cy="{legend - 4}" r="5" fill="{colour}"/>\n',
        f'  <text x="{_LEFT + _SIDE + 32}" y="{legend}">{escape(name)}</text>\n',
    ]


def _place(below: float, beside: float) -> tuple[float, float]:
    return _LEFT + _SIDE * below, _TOP + _SIDE * (1 - beside)
