"""The page of problems: each code with its HTTP status and GraphQL type, from `graph.problem_table`."""

from graph.problem_table import ERRORS

_INTRODUCTION = """\
# Problems

A request that fails is answered with `application/problem+json` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)):
`type` (`urn:a2ap:problem:` and the code in lower case), `title`, `status`, `detail`, `code`, and `path` for a member
of a document. `Retry-After` comes with 429, 503 and 507.

In GraphQL a mutation answers with the type in the last column, which has the same `code` and `detail`. Other
operations, and codes without a type, have the code in `extensions.code` of an error. `make pages` writes this page
from the code.

| code | status | title | type in GraphQL |
|---|---|---|---|
"""


def problems_page() -> str:
    """Return the page."""
    rows = {(code, status, title, kind.value if kind else "") for _, status, code, title, kind in ERRORS}
    rows.add(("INTERNAL", 500, "Something failed in this node", ""))
    return _INTRODUCTION + "".join(
        f"| `{code}` | {status} | {title} | {f'`{kind}`' if kind else ''} |\n"
        for code, status, title, kind in sorted(rows)
    )
