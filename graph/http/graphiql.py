"""The page of `/graphql` for a browser: GraphiQL, or a notice while its files are not built."""

import json
from collections.abc import Mapping
from html import escape

from graph.graphql.examples import EXAMPLES
from graph.http.assets import Entry, built_entry

SOURCE = "src/playground/playground.ts"

# GraphiQL's editor and its menus write style elements of their own, so styles cannot be bound to files.
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "font-src": "'self' data:",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
PAGE_HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(f"{name} {value}" for name, value in _POLICY.items()),
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}

MISSING = (
    "GraphiQL is not built. `make demo` builds it within its first minute, if npm is there; otherwise install npm, run "
    "`make web`, and load this page again. GraphQL itself answers at this address."
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphQL playground · A2AP</title>
<link rel="icon" href="data:,">
{head}
</head>
<body>
{body}
</body>
</html>
"""


def page() -> str:
    """Return the page, with a tab for each example; or a notice while GraphiQL is not built."""
    entry = built_entry(SOURCE)
    return _PAGE.format(head="", body=f"<p>{escape(MISSING)}</p>") if entry is None else built_page(entry)


def built_page(entry: Entry) -> str:
    """Return the page that loads these files; it has no script of its own."""
    styles = [f'<link rel="stylesheet" href="assets/{escape(style)}">' for style in entry.styles]
    styles.append("<noscript><style>.loading { display: none }</style></noscript>")
    head = [*styles, f'<script type="module" src="assets/{escape(entry.script)}"></script>']
    body = (
        '<header><a href="./">A2AP</a> <h1>GraphQL playground</h1></header>\n'
        '<main id="graphiql"><p class="loading">Loading…</p>\n'
        "<noscript><p>GraphiQL needs JavaScript. GraphQL itself answers at this address.</p></noscript></main>\n"
        f'<script type="application/json" id="examples">{_script_text([{"query": e.query} for e in EXAMPLES])}</script>'
    )
    return _PAGE.format(head="\n".join(head), body=body)


def _script_text(value: object) -> str:
    """Return JSON that may stand in a script of a page."""
    return json.dumps(value).replace("<", "\\u003c")
