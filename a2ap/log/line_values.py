"""The values in lines of log texts: decimal numbers and base64, each in one spelling only."""

import base64
import binascii
import re

from a2ap.errors import LogFormatError
from a2ap.log.merkle import HASH_BYTES, MAX_TREE_SIZE

_DECIMAL = re.compile(r"0|[1-9][0-9]{0,18}")


def read_decimal(text: str, what: str) -> int:
    """Read a number below 2^63 without leading zeros; raises `LogFormatError`, whose message names the value."""
    if not _DECIMAL.fullmatch(text) or (number := int(text)) > MAX_TREE_SIZE:
        raise LogFormatError(f"{what} is {text[:64]!r}, not a decimal number below 2^63")
    return number


def read_hash(text: str, what: str) -> bytes:
    """Read a SHA-256 hash in padded standard base64; raises `LogFormatError`, whose message names the value."""
    data = decode_base64(text)
    if data is None or len(data) != HASH_BYTES:
        raise LogFormatError(f"{what} is {text[:64]!r}, not a SHA-256 hash in padded standard base64")
    return data


def encode_base64(data: bytes) -> str:
    """Return bytes in padded standard base64."""
    return base64.b64encode(data).decode("ascii")


def decode_base64(text: str) -> bytes | None:
    """Return the bytes of a text in padded standard base64, `None` for any other text."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    # One spelling only: spare bits are zero.
    return data if encode_base64(data) == text else None
