"""`a2ap policy`: the rules by which a node turns verdicts into scores, and the operators that count there."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from a2ap.client import Client
from a2ap.messages.draw_rules import MAX_DRAWN, MAX_WINDOW, DrawRules
from a2ap.messages.policy import (
    DEFAULT_CRITERIA,
    DEFAULT_EPOCH_LENGTH,
    DEFAULT_QUORUM,
    DEFAULT_THRESHOLD,
    DEFAULT_UNSEEDED_WEIGHT,
    POLICY_METHODS,
    ConsensusMethod,
    Policy,
    build_policy,
)
from a2ap.messages.priors import DEFAULT_PRIORS, Priors
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url
from graph.cli.policy_changes import (
    Rules,
    change_list,
    is_new_policy,
    policy_before,
    policy_in_force,
    rule_lines,
    show_changes,
)
from graph.cli.signing import fresh_id, now, open_key
from graph.cli.terminal import print_json, say

# The rules of a policy that states none, by the names of the options.
_DEFAULTS: Rules = {
    "threshold": DEFAULT_THRESHOLD,
    "quorum": DEFAULT_QUORUM,
    "method": ConsensusMethod.POSTERIOR.value,
    "unseeded-weight": DEFAULT_UNSEEDED_WEIGHT,
    "epoch-length": DEFAULT_EPOCH_LENGTH,
    "version": 1,
    "priors": DEFAULT_PRIORS.members(),
    "draw": "nobody",
    "draw-from": "-",
    "draw-window": "-",
    "criterion": DEFAULT_CRITERIA,
    "seed": (),
}

app = command_group("Show and change the rules of scoring.")


@app.command("set")
def set_policy(
    key: Key,
    seed: Annotated[
        list[str] | None, typer.Option("--seed", help="Add an agent that is an operator in its own right; repeatable.")
    ] = None,
    drop_seed: Annotated[
        list[str] | None, typer.Option("--drop-seed", help="Drop a seed of the policy in force; repeatable.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", min=0, max=1, help="The least score of a verified statement.")
    ] = None,
    quorum: Annotated[
        int | None, typer.Option("--quorum", min=1, max=1000, help="How many operators must pass a statement.")
    ] = None,
    method: Annotated[ConsensusMethod | None, typer.Option("--method", help="How verdicts are weighed.")] = None,
    criterion: Annotated[
        list[str] | None, typer.Option("--criterion", help="Add a criterion that must be passed; repeatable.")
    ] = None,
    drop_criterion: Annotated[
        list[str] | None, typer.Option("--drop-criterion", help="Drop a criterion of the policy in force; repeatable.")
    ] = None,
    unseeded_weight: Annotated[
        float | None,
        typer.Option(
            "--unseeded-weight", min=0, max=1, help="The weight of all verifiers together that no seed vouches for."
        ),
    ] = None,
    epoch_length: Annotated[
        int | None, typer.Option("--epoch-length", min=1, help="Log entries until reliabilities are estimated anew.")
    ] = None,
    version: Annotated[
        int | None, typer.Option("--version", min=1, help="The operator's number of the policy.")
    ] = None,
    priors: Annotated[
        Path | None, typer.Option("--priors", help="A JSON file with the priors that change; it may name some of them.")
    ] = None,
    draw: Annotated[
        int | None,
        typer.Option("--draw", min=0, max=MAX_DRAWN, help="How many operators are drawn for a statement; 0 for none."),
    ] = None,
    draw_from: Annotated[
        int | None,
        typer.Option(
            "--draw-from", min=1, max=MAX_DRAWN, help="With how many eligible operators the draw begins to hold."
        ),
    ] = None,
    draw_window: Annotated[
        int | None,
        typer.Option("--draw-window", min=1, max=MAX_WINDOW, help="After how many seconds one more is drawn."),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Start from the defaults instead of the policy in force.")
    ] = False,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Change how the node scores, with the node's key.

    Rules that no option names stay as the policy in force has them. The changes are shown, and all judged statements
    are scored again.
    """
    if method is not None and method not in POLICY_METHODS:
        raise CommandError(f"{method.value} is for comparison; a policy names one of {', '.join(POLICY_METHODS)}")
    if replace and (drop_seed or drop_criterion):
        raise CommandError("--drop-seed and --drop-criterion are of the policy in force, which --replace leaves aside")
    key_file = open_key(key, signer)
    policy = policy_before(url, Client.policy, Policy, replace=replace, print_only=print_only)
    in_force = _DEFAULTS if policy is None else _rules_of(policy)
    before = _DEFAULTS if replace else in_force
    named = {
        "threshold": threshold,
        "quorum": quorum,
        "method": None if method is None else method.value,
        "unseeded-weight": unseeded_weight,
        "epoch-length": epoch_length,
        "version": version,
    }
    after = before | {name: value for name, value in named.items() if value is not None}
    after["seed"] = change_list(before["seed"], seed, drop_seed, "seeds")
    if replace and criterion:
        after["criterion"] = tuple(dict.fromkeys(criterion))
    else:
        after["criterion"] = change_list(before["criterion"], criterion, drop_criterion, "criteria")
    if priors is not None:
        after["priors"] = _read_priors(priors, before["priors"]).members()
    after |= _draw_lines(_changed_draw(before, draw, draw_from, draw_window))
    if not is_new_policy(policy, in_force, after, print_only=print_only):
        return
    message = build_policy(
        policy_id=fresh_id(),
        issued_at=now(),
        issuing_agent=key_file.agent_id,
        threshold=after["threshold"],
        quorum=after["quorum"],
        seeds=after["seed"],
        method=ConsensusMethod(after["method"]),
        criteria=after["criterion"],
        unseeded_weight=after["unseeded-weight"],
        version=after["version"],
        epoch_length=after["epoch-length"],
        priors=Priors.from_members(after["priors"], "priors"),
        draw=_drawn(after),
    )
    send(message, key_file, Client.set_policy, url, print_only=print_only, as_json=as_json)
    show_changes(in_force, after, print_only=print_only, as_json=as_json)


@app.command("show")
def show(url: Url = DEFAULT_URL, as_json: AsJson = False) -> None:
    """Show the policy in force, as the node signed it."""
    policy = policy_in_force(url, Client.policy, Policy)
    if policy is None:
        raise CommandError(f"{url} has no policy")
    if as_json:
        print_json(policy.envelope.document)
        return
    say(f"{policy.envelope.id} of {policy.envelope.time:%Y-%m-%d %H:%M}")
    for line in rule_lines(_rules_of(policy)):
        say(line)


def _rules_of(policy: Policy) -> Rules:
    return {
        "threshold": policy.threshold,
        "quorum": policy.quorum,
        "method": policy.method.value,
        "unseeded-weight": policy.unseeded_weight,
        "epoch-length": policy.epoch_length,
        "version": policy.version,
        "priors": policy.priors.members(),
        **_draw_lines(policy.draw),
        "criterion": policy.criteria,
        "seed": policy.seeds,
    }


def _draw_lines(rules: DrawRules | None) -> Rules:
    if rules is None:
        return {name: _DEFAULTS[name] for name in ("draw", "draw-from", "draw-window")}
    return {"draw": rules.operators, "draw-from": rules.least, "draw-window": rules.window}


def _drawn(rules: Rules) -> DrawRules | None:
    """Return the rules of the draw among the rules of a policy, None if it draws nobody."""
    if rules["draw"] == _DEFAULTS["draw"]:
        return None
    return DrawRules(rules["draw"], rules["draw-from"], rules["draw-window"])


def _changed_draw(before: Rules, operators: int | None, least: int | None, window: int | None) -> DrawRules | None:
    """Return the rules of the draw with these changes. Raises `CommandError` for rules that lack one of the three."""
    named = {"operators": operators, "from": least, "window": window}
    rules = _drawn(before)
    members = ({} if rules is None else rules.members()) | {k: v for k, v in named.items() if v is not None}
    if operators == 0 or not members:
        return None
    if len(members) < len(named):
        raise CommandError("--draw, --draw-from and --draw-window are given together in a policy that draws nobody yet")
    return DrawRules.from_members(members, "draw")


def _read_priors(path: Path, before: Mapping[str, Any]) -> Priors:
    """Return the priors of a file; priors that it does not name stay as `before`."""
    try:
        members = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    if not isinstance(members, dict):
        raise CommandError(f"{path} is not a JSON object")
    return Priors.from_members({**before, **members}, "priors")
