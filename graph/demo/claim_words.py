"""A claim of the demonstration taken apart into the quoted words and those that say whose they are."""

import re
from dataclasses import dataclass

_QUOTATION = re.compile(r"^(?P<frame>.*?)\bsaid: “(?P<quote>.*)”$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ClaimWords:
    """A claim taken apart: what stands in front of `said: “…”` and the quoted words, or all of it and no quote."""

    frame: str
    quote: str | None


def take_apart(claim: str) -> ClaimWords:
    """Separate the quoted words of a claim from the words that say whose they are."""
    match = _QUOTATION.match(claim.strip())
    return ClaimWords(match["frame"].strip(), match["quote"]) if match else ClaimWords(claim, None)
