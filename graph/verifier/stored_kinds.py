"""The kinds of claims in the graph, for uses that select by boundary classes themselves."""

from collections import defaultdict
from collections.abc import Mapping

from graph.scoring.standing import ClaimKind
from graph.store import Row, Store
from graph.verifier.claim_kind import kind_as_shown


async def kinds_of_claims(store: Store, statements: Mapping[str, Row]) -> dict[str, ClaimKind | None]:
    """Return the kinds of the claims in rows of `statements_by_hash`, by signed hash.

    They follow from all quotes, of any class: a caller shows them to nobody who may not read the quotes.
    """
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for row in await store.read("citations_of", hashes=list(statements)) if statements else ():
        texts[row["statement"]].append("" if row["passage_redacted"] else row["quote_text"] or row["text"] or "")
    return {name: kind_as_shown(row["claim_text"], texts[name]) for name, row in statements.items()}
