"""Addresses on the pages: relative to the page, because a node may be behind a path of another server's."""

from urllib.parse import quote

_SAFE = ":@,;=!$'()*+~"  # RFC 3986 §3.3: allowed in a segment of a path


def root_of(path: str) -> str:
    """Return the relative address of the node's root from a page at this path.

    The path is the one that the server has decoded, as ASGI gives it: a name with a slash has one in the address too
    (`address_of`), so each slash of the path is a step.
    """
    return "../" * (path.count("/") - 1) or "./"


def address_of(*parts: str) -> str:
    """Return the address of these segments from the root, percent-encoded; a slash in a name stays one."""
    return "/".join(quote(part, safe=_SAFE + "/") for part in parts)
