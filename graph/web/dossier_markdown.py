"""A dossier as Markdown (CommonMark); the texts of agents are escaped, so that none of them is markup."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from graph.web.address import address_of
from graph.web.templates import shown_integer, shown_score, shown_words
from graph.web.text import plain_text

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~&])")
_LIST = re.compile(r"^([-+=]|\d{1,9}[.)])")


def write_markdown(statements: Sequence[Mapping[str, Any]], log: Mapping[str, Any], node: str) -> str:
    """Return the dossier of statements at the state of the log; `node` is the address of the node."""
    head = [
        "# Dossier",
        "",
        f"As of log size {log['size']} of `{log['origin']}`, root hash `{log['rootHash']}`.",
        "",
    ]
    parts = [_statement(number, one, log["size"], node) for number, one in enumerate(statements, 1)]
    end = ["## Newest checkpoint", "", *(f"    {line}".rstrip() for line in log["checkpoint"].splitlines()), ""]
    return "\n".join([*head, *(line for part in parts for line in part), *end])


def escaped(text: str | None) -> str:
    """Return a text on one line, with each character of markup escaped."""
    return _LIST.sub(
        lambda found: "\\" + found[0] if len(found[0]) == 1 else f"{found[0][:-1]}\\{found[0][-1]}",
        _MARKUP.sub(r"\\\1", plain_text(text)),
    )


def _statement(number: int, statement: Mapping[str, Any], size: int, node: str) -> list[str]:
    consensus, agent = statement["consensus"], statement["generatedBy"]
    interval = consensus["interval"]
    bounds = f" (95 %: {shown_score(interval['low'])} to {shown_score(interval['high'])})" if interval else ""
    score = f"{shown_score(consensus['score'])}{bounds}" if consensus["judged"] else "no score yet"
    verdicts = ", ".join(f"{count} {shown_words(name)}" for name, count in statement["verdicts"]) or "none"
    lines = [
        f"## {number}\\. {escaped(statement['claimText'])}",
        "",
        f"- Standing: {escaped(statement['standing'])}",
        f"- Score: {score}, {consensus['operators']} independent operators",
        f"- Verdicts: {verdicts}",
        f"- Stated by {escaped(agent['name'] or agent['id'])} on {statement['generatedAt'][:10]}",
        f"- Log entry {statement['logIndex']}, signed hash `{statement['signedHash']}`",
        f"- <{node}/{address_of('statements', statement['signedHash'])}?asOf={size}>",
    ]
    if statement["retraction"] is not None:
        lines.insert(2, f"- **Retracted by the author on {statement['retraction']['retractedAt'][:10]}**")
    for citation in statement["citations"]:
        lines += ["", *_quote(citation)]
    return [*lines, ""]


def _quote(citation: Mapping[str, Any]) -> list[str]:
    title = escaped(citation["chunk"]["document"]["title"] or citation["sourceDocument"])
    span = citation["byteRange"]
    place = f"> — {title}, bytes {shown_integer(span['start'])} to {shown_integer(span['end'])}"
    if citation["withheld"]:
        return [f"> The quote is withheld: {escaped(citation['withheld'])}", ">", place]
    return [f"> {escaped(citation['quote'])}", ">", place] if citation["quote"] else [place]
