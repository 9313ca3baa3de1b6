"""The citation of a statement as BibTeX and CSL-JSON: the author, the claim, and the state of the log that it is from.

A citation has no date of access: the size and the root hash of the log fix the state better than a date.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.web.address import address_of
from graph.web.text import plain_text

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # BibTeX counts braces, escaped ones too.
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    **{character: f"\\{character}" for character in "$&#_%"},
}
_SPECIAL = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")
_KEY_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Citation:
    """A statement at one size of the log; its texts are on one line, without hidden characters."""

    key: str
    author: str
    title: str
    stated_at: datetime
    address: str
    log_origin: str
    log_index: int
    log_size: int
    root_hash: str
    signed_hash: str
    standing: str
    score: str

    @classmethod
    def of(cls, data: Mapping[str, Any], node: str, log_size: int) -> "Citation":
        """Return the citation of the statement in the data of `cite.graphql`; `node` is the address of the node."""
        statement, log = data["statement"], data["log"]
        signed_hash = statement["signedHash"]
        return cls(
            key="a2ap-" + signed_hash.removeprefix("sha256:")[:_KEY_DIGITS],
            author=plain_text(statement["generatedBy"]["name"] or statement["generatedBy"]["id"]),
            title=plain_text(statement["claimText"]),
            stated_at=datetime.fromisoformat(statement["generatedAt"]),
            address=f"{node}/{address_of('statements', signed_hash)}?asOf={log_size}",
            log_origin=log["origin"],
            log_index=statement["logIndex"],
            log_size=log_size,
            root_hash=log["rootHash"],
            signed_hash=signed_hash,
            standing=statement["standing"],
            score=_score(statement["consensus"]),
        )

    @property
    def note(self) -> str:
        """Return the place and the state in words."""
        return (
            f"Statement {self.signed_hash}, entry {self.log_index} of the log {self.log_origin}. "
            f"At log size {self.log_size} with root hash {self.root_hash}: {self.standing}; {self.score}."
        )

    @property
    def bibtex(self) -> str:
        """Return an entry of BibTeX."""
        fields = {
            "author": "{" + _tex(self.author) + "}",
            "title": "{" + _tex(self.title) + "}",
            "year": f"{self.stated_at:%Y}",
            "month": f"{self.stated_at.month}",
            "day": f"{self.stated_at.day}",
            "url": self.address,
            "note": _tex(self.note),
        }
        lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
        return "\n".join([f"@misc{{{self.key},", *lines, "}", ""])

    @property
    def csl(self) -> str:
        """Return a list with one item of CSL-JSON."""
        day = self.stated_at
        item = {
            "id": self.key,
            "type": "document",
            "title": self.title,
            "author": [{"literal": self.author}],
            "issued": {"date-parts": [[day.year, day.month, day.day]]},
            "URL": self.address,
            "archive": self.log_origin,
            "archive_location": f"entry {self.log_index}",
            "version": f"log size {self.log_size}",
            "note": self.note,
        }
        return json.dumps([item], ensure_ascii=False, indent=2) + "\n"


def _score(consensus: Mapping[str, Any]) -> str:
    return f"score {consensus['published']}" if consensus["judged"] else "no score yet"


def _tex(text: str) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], text)
