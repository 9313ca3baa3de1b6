"""A claim of the demonstration split into the quoted words and the words that attribute them."""

import re
from dataclasses import dataclass

_QUOTATION = re.compile(r"^(?P<frame>.*?)\bsaid: “(?P<quote>.*)”$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """A claim in parts: the words before `said: “…”` and the quoted words, or the whole claim and no quote."""

    frame: str
    quote: str | None


def take_apart(claim: str) -> ClaimWords:
    """Separate the quoted words of a claim from the words that attribute them."""
    match = _QUOTATION.match(claim.strip())
    return ClaimWords(match["frame"].strip(), match["quote"]) if match else ClaimWords(claim, None)
