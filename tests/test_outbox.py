"""What agents remember of what they signed."""

import stat
from pathlib import Path

from demo_statements import AUTHOR, claims_of, now, shipped

from a2ap.agent.outbox import Outbox
from graph.demo.agent import Agent
from graph.demo.author import sign_statements
from graph.demo.source import DemoSource


def test_the_same_purpose_gets_the_same_message_also_in_another_process(tmp_path: Path) -> None:
    first = Outbox(tmp_path / "signed.ndjson").once("greeting", lambda: {"@id": "1", "text": "Grüß Gott"})
    second = Outbox(tmp_path / "signed.ndjson").once("greeting", lambda: {"@id": "2", "text": "Servus"})

    assert first == second == {"@id": "1", "text": "Grüß Gott"}


def test_a_line_that_was_cut_off_is_forgotten_and_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "signed.ndjson"
    Outbox(path).once("one", lambda: {"@id": "1"})
    with path.open("a") as file:
        file.write('{"purpose": "two", "mess')

    Outbox(path).once("three", lambda: {"@id": "3"})

    assert Outbox(path).once("one", dict) == {"@id": "1"}
    assert Outbox(path).once("three", dict) == {"@id": "3"}
    assert Outbox(path).once("two", lambda: {"@id": "2"}) == {"@id": "2"}


def test_an_agent_keeps_its_key_and_shows_it_to_nobody(tmp_path: Path) -> None:
    agent = Agent.at(tmp_path / "agent", AUTHOR)

    assert Agent.at(tmp_path / "agent", AUTHOR).id == agent.id
    assert Agent.at(tmp_path / "other", AUTHOR).id != agent.id
    assert stat.S_IMODE((tmp_path / "agent" / "agent.key").stat().st_mode) == 0o600


def test_saying_the_same_of_two_sources_makes_two_statements(tmp_path: Path) -> None:
    source, transcript = shipped()
    other = DemoSource("urn:doc:other", "sha256:" + "0" * 64, source.data, "Other", "text/vtt", None, "other.vtt")
    claims = claims_of(transcript)[:5]
    agent = Agent.at(tmp_path / "agent", AUTHOR)

    first = sign_statements(agent, claims, source, now)
    second = sign_statements(agent, claims, other, now)

    assert not {message["@id"] for message in first} & {message["@id"] for message in second}
    assert sign_statements(agent, claims, source, now) == first
    assert sign_statements(agent, claims, other, now) == second
