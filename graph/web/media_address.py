"""Addresses of a second in a recording, from the address at which the recording was found."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from a2ap.times import parse_cue_time

_ASCII = "!#$%&'()*+,/:;=?@[]~"
_YOUTUBE = ("youtube.com", "youtu.be", "youtube-nocookie.com")


def media_address(origin: str | None, milliseconds: int | None) -> str | None:
    """Return the address of that time in the recording; None without a time, or if the origin is no address of the web.

    YouTube takes the second as `t` in the query, other media as a fragment (W3C Media Fragments URI 1.0 §4.2.1).
    """
    address = web_address(origin)
    if address is None or milliseconds is None:
        return None
    second, parts = milliseconds // 1000, urlsplit(address)
    host = (parts.hostname or "").lower()
    if any(host == name or host.endswith(f".{name}") for name in _YOUTUBE):
        query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "t"]
        return parts._replace(query=urlencode([*query, ("t", f"{second}s")]), fragment="").geturl()
    return parts._replace(fragment=f"t={second}").geturl()


def moment_of(citation: Mapping[str, Any]) -> str | None:
    """Return the address of the cited moment in the recording; None if the source has no address of the web."""
    source = citation["chunk"]["document"].get("source") or {}
    return media_address(source.get("origin"), parse_cue_time(citation["timestamp"]["start"]))


def web_address(origin: str | None) -> str | None:
    """Return the ASCII form of an origin that a page may link to: of an http or https address with a host."""
    try:
        parts = urlsplit(origin or "")
        is_linked = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return None
    return quote(origin or "", safe=_ASCII) if is_linked else None
