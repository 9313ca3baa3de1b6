"""The form that DarkMatter's server hashes: sorted members, and fractions in 17 digits, 0.1 as 0.10000000000000001."""

from decimal import ROUND_HALF_UP, Context
from typing import Any

from a2ap.passport.ecmascript import utf16_order, write_number, write_text
from a2ap.passport.errors import NoFormError

_DIGITS = 17


def darkmatter_bytes(value: Any) -> bytes:
    """Return the bytes of a payload. Raises NoFormError for infinite numbers."""
    return _write(value).encode("utf-8")


def _write(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return write_text(value)
    if isinstance(value, int | float):
        return _write_number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    return "{" + ",".join(f"{write_text(name)}:{_write(value[name])}" for name in sorted(value, key=utf16_order)) + "}"


def _write_number(number: int | float) -> str:
    text = write_number(number)
    if text == "null":
        raise NoFormError("the payload has no form v1-darkmatter: it has an infinite number")
    return text if isinstance(number, int) or number.is_integer() else _to_precision(number)


def _to_precision(number: float) -> str:
    # ECMA-262 Number.prototype.toPrecision(17): of two neighbours as near, the larger.
    exact = Context(prec=_DIGITS, rounding=ROUND_HALF_UP).create_decimal_from_float(abs(number))
    digits = "".join(map(str, exact.as_tuple().digits)).ljust(_DIGITS, "0")
    sign, exponent = "-" if number < 0 else "", exact.adjusted()
    if exponent < -6:
        return f"{sign}{digits[0]}.{digits[1:]}e-{-exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}".rstrip("0")
    return f"{sign}{digits[: exponent + 1]}.{digits[exponent + 1 :]}".rstrip("0")
