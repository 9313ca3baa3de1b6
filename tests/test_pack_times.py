"""When the runs of packs and their steps ended, in exports."""

from typing import Any

import pytest

from a2ap.pack.go_time import NO_TIME
from a2ap.rdf.vocabulary import PROV, XSD
from graph.export.pack_triples import pack_triples, step_triples


@pytest.mark.parametrize(
    ("stated", "given"),
    [
        ("2026-05-01T12:00:00.123456789+02:00", "2026-05-01T10:00:00.123456789Z"),
        ("2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z"),
        ("9999-12-31T23:59:59-05:00", None),
        (NO_TIME, None),
    ],
)
def test_times_of_packs_and_steps_are_in_utc(stated: str, given: str | None) -> None:
    pack: dict[str, Any] = {"record_hash": "sha256:" + "0" * 64, "created": stated, "parent": None}
    step = {"pack": pack["record_hash"], "position": 0, "tool": "", "timestamp": stated, "output_hash": None}
    found = [one[2] for one in (*pack_triples(pack, []), *step_triples(step)) if one[1] == PROV.ENDED_AT_TIME]
    assert found == ([] if given is None else [(given, XSD.DATE_TIME)] * 2)
