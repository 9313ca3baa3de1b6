"""The pages of the node. A route is tried in this order."""

from graph.web import (
    claim,
    find,
    source,
    stylesheet,
    verification,
    verify,
)

PAGES = (
    claim,
    find,
    source,
    stylesheet,
    verification,
    verify,
)
