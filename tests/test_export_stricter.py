"""That an export of changes takes away the quotes of a source whose class became stricter."""

from typing import Any, cast

import pytest

from a2ap.boundary import Boundary
from graph.content.content_store import ContentStore
from graph.export.opening import Wanted, open_reader
from graph.store import Store


class Log:
    """A store that has nothing but a log of these types of message."""

    def __init__(self, *types: str) -> None:
        self.types = types

    async def read(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        if name == "log_size":
            return [{"size": len(self.types)}]
        start = parameters["start"]
        return [{"type": one} for one in self.types[start : start + parameters["first"]]]


@pytest.mark.parametrize(
    ("last", "is_given_again"),
    [("SourceRegistration", True), ("Redaction", True), ("RecordRegistration", True), ("ProvenanceStatement", False)],
)
async def test_quotes_are_given_again_where_a_class_may_be_stricter(last: str, is_given_again: bool) -> None:
    log = Log("SourceRegistration", "ProvenanceStatement", last)
    wanted = Wanted(Boundary.PUBLIC, since=2)
    async with open_reader(cast(Store, log), cast(ContentStore, None), wanted) as reader:
        assert (("CITES", "Statement", "Chunk") in reader.replaced) is is_given_again
        assert (("CHALLENGED", "Agent", "Statement") in reader.replaced) is is_given_again
