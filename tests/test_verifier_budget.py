"""Budgets: no day is longer for a restart, and a new day begins at midnight UTC."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from a2ap.verifier.budget import Budget, Limits
from a2ap.verifier.errors import BudgetError, RequesterBudgetError, VerifierError
from graph.cli.verifier_work import MeteredModel

NOON = datetime(2025, 10, 14, 12, tzinfo=UTC)


class Echo:
    name = "echo"

    def complete(self, instructions: str, question: str) -> str:
        return question


def test_a_new_day_has_a_new_budget(tmp_path: Path) -> None:
    now = NOON
    budget = Budget(tmp_path / "budget.json", Limits(verdicts=1, for_requester=1), lambda: now)
    budget.spend_verdict("urn:agent:a")

    assert budget.left() == 0
    with pytest.raises(RequesterBudgetError, match="urn:agent:a has had 1 verdict today"):
        budget.check_requester("urn:agent:a")
    budget.check_requester("urn:agent:b")

    now = NOON + timedelta(hours=12)
    assert budget.left() == 1
    budget.check_requester("urn:agent:a")


def test_a_model_is_asked_no_more_than_allowed(tmp_path: Path) -> None:
    def open_model() -> MeteredModel:
        return MeteredModel(Echo(), Budget(tmp_path / "budget.json", Limits(to_model=2), lambda: NOON))

    assert open_model().complete("", "one") == "one"
    assert open_model().complete("", "two") == "two"
    with pytest.raises(BudgetError, match="echo has been asked 2 times today"):
        open_model().complete("", "three")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=12), st.integers(0, 12))
def test_what_is_spent_is_the_same_after_every_restart(tmp_path: Path, requesters: list[str], limit: int) -> None:
    path = tmp_path / "spent.json"
    path.unlink(missing_ok=True)
    for requester in requesters:
        Budget(path, Limits(verdicts=limit), lambda: NOON).spend_verdict(requester)

    assert Budget(path, Limits(verdicts=limit), lambda: NOON).left() == max(0, limit - len(requesters))


def test_a_budget_that_cannot_be_read_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "budget.json").write_text("[1")
    with pytest.raises(VerifierError, match=r"budget\.json cannot be read"):
        Budget(tmp_path / "budget.json", Limits(), lambda: NOON)
