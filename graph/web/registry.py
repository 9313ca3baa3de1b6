"""The pages of the node. A route is tried in this order."""

from graph.web import (
    agent,
    claim,
    find,
    home,
    lists,
    log,
    log_compare,
    log_entry,
    pack,
    packet,
    passport,
    records,
    source,
    stylesheet,
    verification,
    verify,
)

PAGES = (
    agent,
    claim,
    find,
    home,
    lists,
    log,
    log_compare,
    log_entry,
    pack,
    packet,
    passport,
    records,
    source,
    stylesheet,
    verification,
    verify,
)
