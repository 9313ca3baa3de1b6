"""docs/how-to/browser.grass: the style for Neo4j Browser names labels and properties that the graph has."""

import re
from pathlib import Path

from graph.cypher_text.vocabulary import LABELS, properties_of

STYLE = (Path(__file__).resolve().parent.parent / "docs" / "how-to" / "browser.grass").read_text("utf-8")


def test_every_rule_is_for_a_label_of_the_graph_and_shows_a_property_of_it() -> None:
    rules = re.findall(r"^node\.(\w+) \{.*caption: \"\{(\w+)\}\";", STYLE, re.M)
    assert len(rules) == STYLE.count("node.") == len(dict(rules))
    for label, name in rules:
        assert label in LABELS
        assert name in properties_of(label), label
