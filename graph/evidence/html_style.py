"""Whether an element's own `style` hides it: `display: none` or `visibility: hidden`."""

import re
from html import unescape

_LONG_STYLE = 4096
# CSS: a comment that nobody closes goes on to the end, so that each character is read once.
_COMMENT = re.compile(r"/\*(?:.*?\*/|.*)", re.DOTALL)
_HIDING = re.compile(
    r"(?:^|;)[\t\n\f\r ]*(?:display[\t\n\f\r ]*:[\t\n\f\r ]*none|visibility[\t\n\f\r ]*:[\t\n\f\r ]*hidden)"
    r"(?![\w-]|[^\x00-\x7f])",
    re.IGNORECASE | re.ASCII,
)


def hides(style: str) -> bool:
    """Return whether the value of a `style` hides its element; a value of more than 4,096 characters is not read."""
    if len(style) > _LONG_STYLE:
        return False
    plain = unescape(style)
    return _HIDING.search(_COMMENT.sub("", plain)) is not None
