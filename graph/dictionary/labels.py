"""The labels and types of relationship, the keys of nodes, and the withheld properties of each, from the dictionary."""

from graph.dictionary.reading import node_terms, relationship_terms

NODE_KEYS = {label: term.columns[0].name for label, term in node_terms().items()}
"""The labels in the order in which they are read, and the unique property of each."""

EDGE_LABELS = {type: term.ends for type, term in relationship_terms().items()}
"""The types of relationship, and the labels of the nodes at their start and end, alternatives separated by bars."""

SOURCE_TEXTS = {
    name: term.withheld
    for terms in (node_terms(), relationship_terms())
    for name, term in terms.items()
    if term.withheld
}
"""The properties that have the words of a source, or describe one: only these are withheld from a reader.

The hash of a passage is withheld with its words: a reader could find a short passage by trying words until the hash
matches.
"""

DESCRIBED = ("Source", "Document")
"""The labels whose withheld properties come from a registration, not from words that a statement cites.

The reasons are in docs/decisions/0041.
"""

PUBLIC_OF_PACKETS = {
    "Packet": ("record_hash", "log_index", "held"),
    "Item": ("item_key", "record_hash", "position", "log_index"),
    "PacketRecord": ("record_hash", "log_index", "held"),
}
"""Properties of a packet or its records for readers without clearance for it; all others are its words, left out."""
