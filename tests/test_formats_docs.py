"""The page about neighbouring formats is true: its history can be made, told, and walked from its first input."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest
from cli_runner import run_on_a_server
from rdflib import BNode, Graph, Literal
from rdflib.query import ResultRow
from rdflib.term import Node

from a2ap.passport.profile import PayloadProfile

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "how-to" / "formats.md").read_text("utf-8")

CLERK = """
printf 'The clerk came.\\nThe council voted five to two to keep the height limit at forty feet.\\n' > minutes.txt
for name in clerk writer; do
  a2ap key generate --out $name.key --agent urn:agent:$name > /dev/null
  a2ap agent register --key $name.key --name $name --version 1 --publisher "City clerk" > /dev/null
done
a2ap source add minutes.txt --urn urn:doc:example:minutes --title "Minutes of the council" --key clerk.key > /dev/null
a2ap statement create "The height limit stays at forty feet." --quote "keep the height limit at forty feet" \\
  --confidence 0.9 --source minutes.txt --urn urn:doc:example:minutes --key clerk.key > /dev/null
"""


@pytest.mark.parametrize("profile", PayloadProfile)
def test_every_profile_of_a_payload_has_the_implementation_that_it_matched(profile: PayloadProfile) -> None:
    assert f"`{profile}`" in TEXT.partition("## Mapping to PROV-O")[0]


def test_every_schema_that_is_shipped_is_named_and_every_one_named_is_shipped() -> None:
    root = Path(__file__).resolve().parent.parent
    named = {(root / "docs" / "how-to" / one).resolve() for one in re.findall(r"\((\S+\.schema\.json)\)", TEXT)}
    assert named == set((root / "a2ap").rglob("*.schema.json"))
    formats = {path.parent.name for path in named}
    assert formats == {"messages", "passport", "pack", "packet"}


@dataclass(frozen=True, slots=True)
class History:
    """What the commands of the page printed, and the export of what they made."""

    printed: tuple[str, ...]
    exported: Graph


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """Make the history of the page on a platform of its own."""
    folder = tmp_path_factory.mktemp("formats")
    commands = [
        *re.findall(r"^```sh\n(.*?)^```$", TEXT, re.M | re.S),
        "a2ap export --format turtle --url $A2AP_URL --out all.ttl",
    ]
    ended = run_on_a_server([CLERK, *commands], folder)
    return History(tuple(ended.stdout.split("=====\n")), Graph().parse(folder / "work" / "all.ttl"))


@pytest.mark.timeout(1800)  # the history is made by commands, one after the other
def test_the_history_of_the_page_is_told_in_order_and_reached_from_its_source(history: History) -> None:
    story, reached = history.printed[-3:-1]
    parts = re.findall(r"^\d+  ([a-z ]+?) (?:urn|sha256|cpk|ctx|did)", story, re.M)
    kinds = [kind for kind in parts if kind in ("source", "packet", "pack", "passport")]
    assert [kind for kind in kinds if kind != "source"] == ["packet", "pack", "passport"]
    assert parts[0] == "source" and parts.count("statement") == 2
    assert all(f"  {kind} " in reached for kind in ("statement", "packet", "pack", "passport"))


@pytest.mark.timeout(1800)  # the history is made by commands, one after the other
def test_the_turtle_of_the_page_is_what_the_platform_writes(history: History) -> None:
    blocks = re.findall(r"^```turtle\n(.*?)^```$", TEXT, re.M | re.S)
    shown, records = (Graph().parse(data="\n".join(chosen), format="turtle") for chosen in (blocks, blocks[:3]))
    nodes = {node for triple in shown for node in triple}
    left_open = sorted((node for node in nodes if "…" in str(node) or isinstance(node, BNode)), key=str)
    rows = [cast("ResultRow", row) for row in history.exported.query(pattern(shown, left_open))]
    (found,) = [row for row in rows if no_two_are_one(row)]
    known = dict(zip(left_open, found, strict=True))

    assert len(blocks) == 4 and len(known) > 15
    # Of a record the page says all that there is; of the statement it leaves something out.
    for subject in set(records.subjects()):
        expected = {(predicate, known.get(value, value)) for predicate, value in records.predicate_objects(subject)}
        assert set(history.exported.predicate_objects(known[subject])) == expected, subject


def pattern(shown: Graph, left_open: Sequence[Node]) -> str:
    """Return a query for what a graph leaves open."""
    names = {node: f"?v{place}" for place, node in enumerate(left_open)}
    triples = [" ".join(names.get(node) or node.n3() for node in triple) for triple in shown]
    return f"SELECT {' '.join(names.values())} {{ {' . '.join(triples)} }}"


def no_two_are_one(found: Iterable[Node]) -> bool:
    """Say whether things that the page tells apart are not one thing; times may be the same."""
    things = [node for node in found if not isinstance(node, Literal)]
    return len(set(things)) == len(things)
