"""The clearance that a reader needs for a property, in words, from the withheld properties of the labels."""

from graph.dictionary.labels import DESCRIBED, PUBLIC_OF_PACKETS, SOURCE_TEXTS

EVERYBODY = "everybody"
OF_SOURCE = "the class of the cited source"
OF_DESCRIBED = "the class of the described document"
OF_RECORD = "the class of the record"


def seen_by(name: str, column: str) -> str:
    """Return the clearance, in words, that a property of a label or of a type of relationship needs."""
    if column in SOURCE_TEXTS.get(name, ()):
        return OF_DESCRIBED if name in DESCRIBED else OF_SOURCE
    if name in PUBLIC_OF_PACKETS and column not in PUBLIC_OF_PACKETS[name]:
        return OF_RECORD
    return EVERYBODY
