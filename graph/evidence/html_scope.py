"""The HTML end tags that end nothing, because another element stands between (HTML §13.2.4.2, §13.2.6.4.7).

Differences from a browser make more text hidden, and none shown.
"""


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


_SCOPE = _words("applet caption html marquee object table td template th")
_IN_SCOPE = _words(
    "a address applet article aside b big blockquote button center code dd details dialog dir div dl dt em fieldset "
    "figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i listing main marquee menu nav nobr object ol "
    "pre s search section select small strike strong summary tt u ul"
)
_TABLE = _words("caption colgroup table tbody td tfoot th thead tr")
_TABLE_SCOPE = _words("table template")
_SPECIAL = (_IN_SCOPE - _words("a b big code dialog em font i nobr s small strike strong tt u")) | _words(
    "area base basefont bgsound body br caption col colgroup embed frame frameset head hr html iframe img input "
    "keygen li link meta noembed noframes noscript p param plaintext script source style table tbody td template "
    "textarea tfoot th thead title tr track wbr xmp"
)
_SCOPES = {
    **dict.fromkeys(_IN_SCOPE, _SCOPE),
    **dict.fromkeys(_TABLE, _TABLE_SCOPE),
    "li": _SCOPE | {"ol", "ul"},
    "p": _SCOPE | {"button"},
    "template": frozenset[str](),
}


def closing_scope(name: str) -> frozenset[str] | None:
    """Return the elements within which an end tag of that name ends none outside; None for all special elements."""
    return _SCOPES.get(name)


def is_special(name: str) -> bool:
    """Return whether end tags of unknown elements within this element end none outside it."""
    return name in _SPECIAL
