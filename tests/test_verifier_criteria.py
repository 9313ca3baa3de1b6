"""Criteria as plug-ins: what is installed is found by its entry point, and nothing else judges."""

import sys
from pathlib import Path

import pytest
from test_verifier_claims import BLANK, TRANSCRIPT, claiming

from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.verifier.errors import VerifierError
from graph.verifier.criteria import Tools, installed, panel_of
from graph.verifier.material import Material, Source

MODULE = """
from a2ap.messages.finding import Finding, FindingStatus
from graph.verifier.criteria import Judgement

class Tone:
    name, version = "tone", "3"
    judged = 0
    def judge(self, material):
        Tone.judged += 1
        text = material.statement.claim.text
        if "boom" in text:
            raise RuntimeError("a secret of the machine")
        status = FindingStatus.FAIL if "!" in text else FindingStatus.PASS
        other = Finding("source-accuracy", FindingStatus.PASS, "not mine to say", 1.0)
        return Judgement((Finding("example.org/tone", status, "counted", 0.6), other))

def make(tools):
    return Tone()

broken = 5
"""


@pytest.fixture
def tone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package that judges tone."""
    (tmp_path / "example_tone.py").write_text(MODULE)
    info = tmp_path / "example_tone-3.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: example-tone\nVersion: 3\n")
    entries = "[a2ap.criteria]\nexample.org/tone = example_tone:make\nexample.org/broken = example_tone:broken\n"
    (info / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "example_tone", raising=False)
    return info


def material(claim: str) -> Material:
    return Material(claiming(claim), {TRANSCRIPT.document_hash: Source(TRANSCRIPT.data, TRANSCRIPT)})


def test_our_own_criteria_are_installed_as_others_are() -> None:
    assert set(installed()) >= {*DEFAULT_CRITERIA, "quote-exactness", "timestamp-match"}


def test_a_criterion_of_another_package_is_found_by_its_entry_point(tone: Path) -> None:
    panel = panel_of(["example.org/tone", "source-accuracy"], Tools())

    judgement = panel.judge(material("Loud!"), ["example.org/tone", "source-accuracy"])

    assert [(one.criterion, one.status) for one in judgement.findings] == [
        ("example.org/tone", FindingStatus.FAIL),
        ("source-accuracy", FindingStatus.PASS),
    ]
    assert judgement.findings[1].evidence != "not mine to say"
    assert panel.versions(["example.org/tone"]) == {"example.org/tone": "tone 3"}


def test_only_what_is_wanted_is_judged(tone: Path) -> None:
    panel = panel_of(["example.org/tone", "logical-consistency"], Tools())

    judgement = panel.judge(material("Calm."), ["logical-consistency", "unheard-of"])

    assert [one.criterion for one in judgement.findings] == ["logical-consistency"]
    assert sys.modules["example_tone"].Tone.judged == 0


def test_a_criterion_that_fails_leaves_its_own_question_open_and_no_other(tone: Path) -> None:
    panel = panel_of(["example.org/tone", "source-accuracy"], Tools())
    found = panel.judge(material("It went boom."), panel.names).findings
    assert [(one.criterion, one.evidence) for one in found][:1] == [("example.org/tone", "tone 3 failed: RuntimeError")]
    assert found[0].status is FindingStatus.INCONCLUSIVE
    assert "failed" not in found[1].evidence


def test_what_is_not_installed_or_makes_nothing_is_a_clear_error(tone: Path) -> None:
    with pytest.raises(VerifierError, match="no installed package says how to judge 'unheard-of'"):
        panel_of(["unheard-of"], Tools())
    with pytest.raises(VerifierError, match="which cannot be called"):
        panel_of(["example.org/broken"], Tools())


def test_two_packages_for_one_criterion_are_refused(tone: Path, tmp_path: Path) -> None:
    other = tmp_path / "other_tone-1.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other-tone\nVersion: 1\n")
    (other / "entry_points.txt").write_text("[a2ap.criteria]\nexample.org/tone = example_tone:Tone\n")

    with pytest.raises(VerifierError, match="two packages say how to judge"):
        panel_of(["example.org/tone"], Tools())


def test_a_model_must_be_named_before_it_judges() -> None:
    with pytest.raises(VerifierError, match="A2AP_LLM_URL"):
        panel_of(["logical-consistency"], Tools("model"))


def test_a_statement_whose_source_is_no_text_is_left_open() -> None:
    panel = panel_of(DEFAULT_CRITERIA, Tools())
    unread = Material(claiming("-"), {TRANSCRIPT.document_hash: Source.of(b"\xff\xfe" + TRANSCRIPT.data)})

    findings = panel.judge(unread, DEFAULT_CRITERIA).findings

    assert [finding.status for finding in findings[1:]] == [FindingStatus.INCONCLUSIVE] * 2


def test_nothing_is_judged_of_a_source_that_was_not_read() -> None:
    findings = panel_of(DEFAULT_CRITERIA, Tools()).judge(Material(BLANK, {}), DEFAULT_CRITERIA).findings

    assert {finding.status for finding in findings} == {FindingStatus.INCONCLUSIVE}
    assert all(isinstance(finding, Finding) and finding.confidence == 0 for finding in findings)
