"""`a2ap policy set`: the policy that it signs, and the methods that no policy names."""

from pathlib import Path

from cli_agents import new_agent
from cli_runner import Run, a2ap

from a2ap.message import read_message
from a2ap.policy import ConsensusMethod, Policy
from a2ap.priors import Priors

__all__ = ["a2ap"]


def test_a_policy_is_signed_as_it_was_asked_for(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    (tmp_path / "priors.json").write_text('{"unknown": [2, 1]}')
    told = a2ap(
        *("policy", "set", "--key", node.key, "--seed", "urn:agent:library", "--quorum", "3", "--threshold", "0.8"),
        *("--priors", tmp_path / "priors.json", "--epoch-length", "50", "--version", "4", "--print"),
    )
    policy = read_message(told.out.strip().encode())
    assert isinstance(policy, Policy)
    assert (policy.seeds, policy.quorum, policy.threshold) == (("urn:agent:library",), 3, 0.8)
    assert (policy.method, policy.epoch_length, policy.version) == (ConsensusMethod.POSTERIOR, 50, 4)
    assert policy.priors == Priors(unknown=(2.0, 1.0))


def test_a_method_for_comparison_is_no_policys(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    told = a2ap("policy", "set", "--key", node.key, "--method", "wawa", "--print", status=1)
    assert "wawa is for comparison" in told.only_error


def test_priors_that_are_none_are_named(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    (tmp_path / "priors.json").write_text('{"endorsed": [1, 2]}')
    told = a2ap(
        *("policy", "set", "--key", node.key, "--priors", tmp_path / "priors.json", "--print"),
        status=1,
    )
    assert "worse than chance" in told.only_error
