"""How ECMAScript writes JSON: numbers, texts, and the order in which objects list their members."""

import json
import math
import re
from decimal import Decimal

from a2ap.passport.json_text import escape_surrogates

# ECMA-262 §6.1.7: an array index, which comes before all other names and in the order of numbers.
_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_MAX_INDEX = 2**32 - 2


def write_number(number: int | float) -> str:
    """Write a number as Number::toString does (ECMA-262 §6.1.6.1.20), and an infinite one as `null`."""
    try:
        double = float(number)
    except OverflowError:
        return "null"
    if not math.isfinite(double):
        return "null"
    if double == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    return ("-" if sign else "") + _place_point(text, len(text) + exponent)


def write_text(text: str) -> str:
    """Write a text as JSON.stringify does: raw but for controls, quotes, backslashes and lone surrogates."""
    return escape_surrogates(json.dumps(text, ensure_ascii=False))


def utf16_order(name: str) -> bytes:
    """Return the key by which names sort in the order of their UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def own_key_order(name: str) -> tuple[int, int, bytes]:
    """Return the key by which the members of an object sort that were added in UTF-16 order."""
    if _INDEX.fullmatch(name) and int(name) <= _MAX_INDEX:
        return (0, int(name), b"")
    return (1, 0, utf16_order(name))


def _place_point(digits: str, point: int) -> str:
    # `point` is how many digits stand before the decimal point; n in the algorithm of the standard.
    if len(digits) <= point <= 21:
        return digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + "0" * -point + digits
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
