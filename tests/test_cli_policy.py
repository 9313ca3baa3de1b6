"""`a2ap policy`, `a2ap admission` and the class of a source: what is named changes, the rest stays, and it is shown."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_agents import new_agent
from cli_runner import Run, a2ap, serving

from a2ap.canonical import sha256_digest
from a2ap.client import Client
from a2ap.messages.admission_policy import AdmissionPolicy, invitation_hash
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod, Policy
from a2ap.messages.priors import Priors
from a2ap.messages.quotas import DEFAULT_QUOTAS

__all__ = ["a2ap"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Yield the address of a platform and the key file of its node."""
    data = tmp_path_factory.mktemp("platform")
    with serving(data) as (_, address):
        yield address, data / "node.key"


@pytest.fixture
def node_key(server: tuple[str, Path], monkeypatch: pytest.MonkeyPatch, a2ap: Run) -> Path:
    """Return the key file of a node whose address is in A2AP_URL."""
    monkeypatch.setenv("A2AP_URL", server[0])
    return server[1]


def policy_of(url: str) -> Policy:
    with Client(url) as client:
        policy = read_message(client.policy() or b"")
    assert isinstance(policy, Policy)
    return policy


def admission_of(url: str) -> AdmissionPolicy:
    with Client(url) as client:
        policy = read_message(client.admission_policy() or b"")
    assert isinstance(policy, AdmissionPolicy)
    return policy


def registered(a2ap: Run, folder: Path) -> str:
    agent = new_agent(folder)
    a2ap("register", "--key", agent.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    return agent.id


def test_a_changed_threshold_leaves_the_seeds_and_everything_else(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    library, newspaper = registered(a2ap, tmp_path), registered(a2ap, tmp_path)
    (tmp_path / "priors.json").write_text('{"unknown": [2, 1]}')
    a2ap("policy", "set", "--key", node_key, "--replace", "--seed", library, "--priors", tmp_path / "priors.json")
    before = policy_of(server[0])

    told = a2ap("policy", "set", "--key", node_key, "--threshold", "0.95")

    after = policy_of(server[0])
    entry, change = told.out.splitlines()
    assert "is log entry" in entry and change == "threshold 0.7 → 0.95"
    assert (after.threshold, after.seeds, after.priors) == (0.95, (library,), Priors(unknown=(2.0, 1.0)))
    assert (after.quorum, after.criteria, after.epoch_length) == (before.quorum, before.criteria, before.epoch_length)
    told = a2ap("policy", "set", "--key", node_key, "--seed", newspaper, "--drop-seed", library)
    assert told.out.splitlines()[1:] == [f"seed - {library}", f"seed + {newspaper}"]
    assert policy_of(server[0]).seeds == (newspaper,)
    # Nothing is told of a change that the node refuses.
    stranger = new_agent(tmp_path)
    assert a2ap("policy", "set", "--key", stranger.key, "--threshold", "0.5", status=1).out == ""
    assert a2ap("admission", "set", "open", "--key", stranger.key, "--quota", "address.agents=9", status=1).out == ""


def test_priors_of_a_file_change_those_that_it_names(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_text('{"unknown": [4, 1]}')
    second.write_text('{"claim": [3, 2]}')
    a2ap("policy", "set", "--key", node_key, "--priors", first)
    told = a2ap("policy", "set", "--key", node_key, "--priors", second)
    assert told.out.splitlines()[1:] == ["priors.claim [2.0, 2.0] → [3.0, 2.0]"]
    assert policy_of(server[0]).priors == Priors(claim=(3.0, 2.0), unknown=(4.0, 1.0))


def test_a_draw_is_set_as_a_whole_then_changed_in_parts_and_ended(
    a2ap: Run, server: tuple[str, Path], node_key: Path
) -> None:
    told = a2ap("policy", "set", "--key", node_key, "--draw", "2", status=1)
    assert "--draw, --draw-from and --draw-window are given together" in told.only_error
    drawn = ("--draw", "3", "--draw-from", "5", "--draw-window", "60")
    told = a2ap("policy", "set", "--key", node_key, "--quorum", "2", *drawn)
    assert "draw nobody → 3" in told.out.splitlines()
    a2ap("policy", "set", "--key", node_key, "--draw-window", "90")
    assert policy_of(server[0]).draw == DrawRules(operators=3, least=5, window=90)
    assert {"draw 3", "draw-from 5", "draw-window 90"} <= set(a2ap("policy", "show").out.splitlines())
    told = a2ap("policy", "set", "--key", node_key, "--quorum", "4", status=1)
    assert "draw.operators" in told.only_error and policy_of(server[0]).quorum == 2
    told = a2ap("policy", "set", "--key", node_key, "--draw", "0")
    assert "draw 3 → nobody" in told.out.splitlines() and policy_of(server[0]).draw is None


def test_criteria_are_added_and_dropped(a2ap: Run, server: tuple[str, Path], node_key: Path) -> None:
    a2ap("policy", "set", "--key", node_key, "--criterion", "tone", "--drop-criterion", "logical-consistency")
    assert policy_of(server[0]).criteria == (*DEFAULT_CRITERIA[:2], "tone")
    told = a2ap("policy", "set", "--key", node_key, "--drop-criterion", "logical-consistency", status=1)
    assert "logical-consistency is not among the criteria of the policy in force" in told.only_error
    a2ap("policy", "set", "--key", node_key, "--criterion", "logical-consistency", "--drop-criterion", "tone")


def test_a_policy_that_changes_nothing_is_not_sent(a2ap: Run, server: tuple[str, Path], node_key: Path) -> None:
    a2ap("policy", "set", "--key", node_key, "--quorum", "3")
    before = policy_of(server[0])
    told = a2ap("policy", "set", "--key", node_key, "--quorum", "3")
    assert (told.out, "nothing is sent" in told.only_error) == ("", True)
    assert policy_of(server[0]) == before


def test_replacing_starts_from_the_defaults_and_shows_what_changes(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    seed = registered(a2ap, tmp_path)
    a2ap("policy", "set", "--key", node_key, "--replace", "--seed", seed, "--threshold", "0.95")
    told = a2ap("policy", "set", "--key", node_key, "--replace", "--quorum", "4")
    assert told.out.splitlines()[1:] == ["threshold 0.95 → 0.7", "quorum 2 → 4", f"seed - {seed}"]
    policy = policy_of(server[0])
    assert (policy.threshold, policy.quorum, policy.seeds) == (0.7, 4, ())
    shown = a2ap("policy", "show").out.splitlines()
    assert shown[0].startswith(policy.envelope.id)
    assert {"threshold 0.7", "quorum 4", "criterion source-accuracy", "priors.trusted [19.0, 2.0]"} <= set(shown)
    assert json.loads(a2ap("policy", "show", "--json").out) == policy.envelope.document


def test_admission_keeps_its_list_and_its_invitations(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    listed, other = new_agent(tmp_path).id, new_agent(tmp_path).id
    told = a2ap("admission", "set", "invitation", "--key", node_key, "--allow", listed, "--invitations", 1)
    secret = told.only_error.removeprefix("invitation ")
    assert told.out.splitlines()[1:3] == ["mode open → invitation", f"allow + {listed}"]

    a2ap("admission", "set", "--key", node_key, "--allow", other)

    policy = admission_of(server[0])
    assert (policy.mode, policy.allowed_agents) == ("invitation", (listed, other))
    assert policy.invitations == (invitation_hash(secret),)
    a2ap("admission", "set", "open", "--key", node_key, "--drop", listed, "--withdraw", policy.invitations[0])
    policy = admission_of(server[0])
    assert (policy.mode, policy.allowed_agents, policy.invitations) == ("open", (other,), ())
    a2ap("admission", "set", "open", "--key", node_key, "--replace")
    assert admission_of(server[0]).allowed_agents == ()
    told = a2ap("admission", "set", "--key", node_key, "--replace", status=1)
    assert "--replace needs a mode" in told.only_error


def test_a_new_policy_is_signed_as_it_was_asked_for(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    (tmp_path / "priors.json").write_text('{"unknown": [2, 1]}')
    told = a2ap(
        *("policy", "set", "--key", node.key, "--seed", "urn:agent:library", "--quorum", "3", "--threshold", "0.8"),
        *("--priors", tmp_path / "priors.json", "--epoch-length", "50", "--version", "4", "--replace", "--print"),
    )
    policy = read_message(told.out.strip().encode())
    assert isinstance(policy, Policy)
    assert (policy.seeds, policy.quorum, policy.threshold) == (("urn:agent:library",), 3, 0.8)
    assert (policy.method, policy.epoch_length, policy.version) == (ConsensusMethod.POSTERIOR, 50, 4)
    assert policy.priors == Priors(unknown=(2.0, 1.0))
    assert "threshold 0.7 → 0.8" in told.err.splitlines()


def test_a_policy_is_not_changed_where_the_one_in_force_cannot_be_read(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    unreachable = ("--url", "http://127.0.0.1:9")
    for command in ("policy", "admission"):
        told = a2ap(command, "set", "--key", node.key, *unreachable, "--print", status=1)
        assert "the policy in force cannot be read" in told.only_error


def test_a_method_for_comparison_is_no_policys(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    told = a2ap("policy", "set", "--key", node.key, "--method", "wawa", "--print", status=1)
    assert "wawa is for comparison" in told.only_error


def test_priors_that_are_none_are_named(a2ap: Run, tmp_path: Path) -> None:
    node = new_agent(tmp_path)
    (tmp_path / "priors.json").write_text('{"endorsed": [1, 2]}')
    told = a2ap(
        *("policy", "set", "--key", node.key, "--priors", tmp_path / "priors.json", "--replace", "--print"),
        status=1,
    )
    assert "worse than chance" in told.only_error


def test_a_stranger_asks_for_a_stricter_class_and_the_owner_accepts(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    source = tmp_path / "minutes.txt"
    source.write_text("The limit is 40.")
    name = sha256_digest(source.read_bytes())
    a2ap("source", "add", source, "--urn", "urn:doc:minutes", "--key", node_key)
    stranger = new_agent(tmp_path)
    a2ap("register", "--key", stranger.key, "--name", "Clerk", "--version", "1", "--publisher", "City")

    add = ("source", "add", source, "--urn", "urn:doc:mine", "--key", stranger.key)
    assert "request" not in a2ap(*add).err
    said = a2ap(*add, "--boundary", "internal").err
    assert "the class in force is public: internal is a request, which the owner or the operator accepts" in said

    asking = ("source", "tighten", name, "--boundary", "confidential", "--key")
    said = a2ap(*asking, stranger.key, status=1).only_error
    assert "the source is public: the owner or the operator has to accept the request for confidential" in said
    request, *_ = json.loads(a2ap("source", "requests", "urn:doc:minutes", "--json").out)
    assert (request["boundary"], request["agent"]["id"]) == ("confidential", stranger.id)
    assert stranger.id in a2ap("source", "requests", name).out
    (line,) = [
        one for one in a2ap("source", "requests").out.splitlines() if stranger.id in one and "confidential" in one
    ]
    assert line.startswith(f"{name}  confidential  asked for by")
    with Client(server[0]) as client:
        assert client.source(name) == source.read_bytes()

    a2ap(*asking, node_key)
    for about in ([name], []):
        assert json.loads(a2ap("source", "requests", *about, "--json").out) == []
    with Client(server[0]) as client:
        assert not client.has_source(name)
    assert "is no source here" in a2ap("source", "requests", "urn:doc:none", status=1).only_error


def test_adding_a_source_proves_possession_also_of_bytes_that_the_platform_has(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    source = tmp_path / "pool.txt"
    source.write_text("The pool opens in May.")
    name = sha256_digest(source.read_bytes())
    owner, stranger = new_agent(tmp_path), new_agent(tmp_path)
    for one in (owner, stranger):
        a2ap("register", "--key", one.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    add = ("source", "add", source, "--urn", "urn:doc:pool", "--key", owner.key)
    # Registered and uploaded step by step, as any HTTP client does.
    with Client(server[0]) as client:
        client.register_source(a2ap(*add, "--print").out.encode())
        client.put_source(name, source.read_bytes())
    assert "already" in a2ap(*add).err
    closing = ("source", "add", source, "--urn", "urn:doc:mine", "--key", stranger.key, "--boundary", "internal")
    assert "internal is a request" in a2ap(*closing).err
    with Client(server[0]) as client:
        assert client.source(name) == source.read_bytes()

    tighten = ("source", "tighten", name, "--key", owner.key, "--boundary")
    a2ap(*tighten, "internal")
    assert "internal, and this reader is not cleared" in a2ap(*tighten, "private", status=1).only_error
    assert "this reader sees no request" in a2ap("source", "requests", name).err
    said = a2ap(*add).err
    assert "the class in force is internal: another registration stated it, and no class grows milder" in said


def test_a_closed_source_is_not_uploaded_if_its_owner_has_registered_it_as_public(
    a2ap: Run, server: tuple[str, Path], node_key: Path, tmp_path: Path
) -> None:
    source = tmp_path / "closed.txt"
    source.write_text("The limit is secret.")
    stranger = new_agent(tmp_path)
    a2ap("register", "--key", stranger.key, "--name", "Clerk", "--version", "1", "--publisher", "City")
    add = ("source", "add", source, "--urn")
    public = a2ap(*add, "urn:doc:early", "--key", node_key, "--print").out
    with Client(server[0]) as client:
        client.register_source(public.encode())
    said = a2ap(*add, "urn:doc:closed", "--key", stranger.key, "--boundary", "internal", status=1).only_error
    assert "would be readable as such, not as internal" in said
    with Client(server[0]) as client:
        assert not client.has_source(sha256_digest(source.read_bytes()))


def test_a_quota_changes_alone_and_goes_back_to_the_default(
    a2ap: Run, server: tuple[str, Path], node_key: Path
) -> None:
    a2ap("admission", "set", "allow-list", "--key", node_key, "--replace", "--allow", "urn:agent:clerk")
    told = a2ap("admission", "set", "--key", node_key, "--quota", "address.agents=7", "--quota", "stranger.bytes=1000")
    assert told.out.splitlines()[1:] == [
        f"quota.stranger.bytes {DEFAULT_QUOTAS.stranger.bytes} → 1000",
        f"quota.address.agents {DEFAULT_QUOTAS.address.agents} → 7",
    ]
    a2ap("admission", "set", "open", "--key", node_key)
    a2ap("admission", "set", "--key", node_key, "--quota", "stranger.bytes=default")
    policy = admission_of(server[0])
    assert policy.envelope.document["quotas"] == {"address": {"agents": 7}}
    assert (policy.mode.value, policy.allowed_agents) == ("open", ("urn:agent:clerk",))
    shown = a2ap("admission", "show").out
    assert "quota       address: 2500 documents, 201326592 bytes, 7 agents within a day" in shown.splitlines()
    assert json.loads(a2ap("admission", "show", "--json").out)["quotas"]["endorsed"] == {
        **DEFAULT_QUOTAS.endorsed.members,
        "agents": None,
    }
    for wrong in (
        "address.agents",
        "address.agents=-1",
        "city.agents=1",
        "stranger.agents=1",
        f"address.bytes={2**53}",
    ):
        refused = a2ap("admission", "set", "--key", node_key, "--quota", wrong, status=1)
        assert wrong.partition("=")[0] in refused.err
    a2ap("admission", "set", "open", "--key", node_key, "--replace")
