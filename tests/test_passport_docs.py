"""The page about passports says what there is: every finding, event, profile and status."""

from pathlib import Path

import pytest

from a2ap.passport.event_type import EFFECTS, Effect, EventType
from a2ap.passport.finding import FindingCode, Status
from a2ap.passport.passport import MERGED_PARENTS, TARGET
from a2ap.passport.profile import PayloadProfile
from a2ap.passport.signature import Signing

TEXT = (Path(__file__).resolve().parent.parent / "docs" / "passports.md").read_text("utf-8")


@pytest.mark.parametrize("word", [*FindingCode, *EventType, *PayloadProfile, *Status, *Signing, TARGET, MERGED_PARENTS])
def test_everything_that_is_said_of_a_record_is_explained(word: str):
    assert f"`{word}`" in TEXT


def test_what_an_event_does_is_as_the_page_says():
    rows = {row.split("|")[1]: row.split("|")[2] for row in TEXT.splitlines() if row.startswith("| `")}
    observing = [kind for kind in EventType if EFFECTS[kind] is Effect.OBSERVES]
    for kind in observing:
        (does,) = [does for names, does in rows.items() if f"`{kind}`" in names]
        assert does.strip().startswith("nothing")
