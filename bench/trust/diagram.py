"""The reliability diagram as an SVG: for each bin of posteriors, the share of claims that were right."""

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

_SIDE, _LEFT, _TOP = 360, 64, 24
_COLOURS = ("#0969da", "#bf8700", "#8250df")
_HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description" \
font-family="system-ui, sans-serif" font-size="13">
  <title id="title">Reliability diagram of the default consensus</title>
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
    parts = [
        _HEAD.format(width=_LEFT + _SIDE + 190, height=_TOP + _SIDE + 56, description=escape(said)),
        f'  <rect class="frame" x="{_LEFT}" y="{_TOP}" width="{_SIDE}" height="{_SIDE}"/>\n',
        f'  <path class="exact" d="M{_LEFT} {_TOP + _SIDE} L{_LEFT + _SIDE} {_TOP}"/>\n',
        *(_tick(number / 5) for number in range(6)),
        f'  <text x="{_LEFT + _SIDE / 2}" y="{_TOP + _SIDE + 44}" text-anchor="middle">posterior</text>\n',
        f'  <text transform="translate(18 {_TOP + _SIDE / 2}) rotate(-90)" text-anchor="middle">share right</text>\n',
    ]
    for number, (name, bins) in enumerate(series.items()):
        parts += _draw_series(name, bins, number)
    return "".join([*parts, "</svg>\n"])


def _say(one: Mapping[str, float]) -> str:
    return f"{one['right']:.3f} right at {one['posterior']:.3f}"


def _tick(value: float) -> str:
    x, y = _place(value, value)
    return (
        f'  <text x="{x:.1f}" y="{_TOP + _SIDE + 20}" text-anchor="middle">{value:g}</text>\n'
        f'  <text x="{_LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>\n'
    )


def _draw_series(name: str, bins: Sequence[Mapping[str, float]], number: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    total = sum(one["claims"] for one in bins)
    places = [_place(one["posterior"], one["right"]) for one in bins]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    legend = _TOP + 20 + 24 * number
    return [
        f'  <polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.2"/>\n',
        *(
            f'  <circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + 10 * (one["claims"] / total) ** 0.5:.1f}" '
            f'fill="{colour}" fill-opacity="0.6"/>\n'
            for (x, y), one in zip(places, bins, strict=True)
        ),
        f'  <circle cx="{_LEFT + _SIDE + 20}" cy="{legend - 4}" r="5" fill="{colour}"/>\n',
        f'  <text x="{_LEFT + _SIDE + 32}" y="{legend}">{escape(name)}</text>\n',
    ]


def _place(posterior: float, right: float) -> tuple[float, float]:
    return _LEFT + _SIDE * posterior, _TOP + _SIDE * (1 - right)
