"""`a2ap policy`: how a node turns verdicts into scores, and whose endorsements count there."""

import json
from pathlib import Path
from typing import Annotated

import typer

from a2ap.client import Client
from a2ap.policy import DEFAULT_CRITERIA, POLICY_METHODS, ConsensusMethod, build_policy
from a2ap.priors import Priors
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.handing_in import send
from graph.cli.options import DEFAULT_URL, AsJson, Key, Print, SignerCommand, Url
from graph.cli.signing import fresh_id, now, open_key

app = command_group("How a node scores.")


@app.command("set")
def set_policy(
    key: Key,
    seed: Annotated[
        list[str] | None, typer.Option("--seed", help="An agent that is an operator in its own right; repeatable.")
    ] = None,
    threshold: Annotated[
        float, typer.Option("--threshold", min=0, max=1, help="The least score of what is verified.")
    ] = 0.7,
    quorum: Annotated[int, typer.Option("--quorum", min=1, max=1000, help="How many operators must pass it.")] = 2,
    method: Annotated[
        ConsensusMethod, typer.Option("--method", help="How verdicts are weighed.")
    ] = ConsensusMethod.POSTERIOR,
    criterion: Annotated[
        list[str] | None,
        typer.Option(
            "--criterion", help=f"What must be passed; repeatable. Without it: {', '.join(DEFAULT_CRITERIA)}."
        ),
    ] = None,
    unseeded_weight: Annotated[
        float, typer.Option("--unseeded-weight", min=0, max=1, help="What all that no seed vouches for weigh together.")
    ] = 0.25,
    epoch_length: Annotated[
        int | None, typer.Option("--epoch-length", min=1, help="Log entries until reliabilities are estimated anew.")
    ] = None,
    version: Annotated[int | None, typer.Option("--version", min=1, help="What you call it.")] = None,
    priors: Annotated[
        Path | None,
        typer.Option("--priors", help="A JSON file with the priors that are to be others than the defaults."),
    ] = None,
    signer: SignerCommand = None,
    url: Url = DEFAULT_URL,
    print_only: Print = False,
    as_json: AsJson = False,
) -> None:
    """Set how the node scores, with the node's key.

    It takes the place of the policy before, seeds included, and everything that is judged is scored again.
    """
    if method not in POLICY_METHODS:
        raise CommandError(f"{method.value} is for comparison; a policy names one of {', '.join(POLICY_METHODS)}")
    key_file = open_key(key, signer)
    message = build_policy(
        policy_id=fresh_id(),
        issued_at=now(),
        issuing_agent=key_file.agent_id,
        threshold=threshold,
        quorum=quorum,
        seeds=seed or (),
        method=method,
        criteria=criterion or DEFAULT_CRITERIA,
        unseeded_weight=unseeded_weight,
        version=version,
        epoch_length=epoch_length,
        priors=None if priors is None else _read_priors(priors),
    )
    send(message, key_file, Client.set_policy, url, print_only=print_only, as_json=as_json)


def _read_priors(path: Path) -> Priors:
    try:
        members = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise CommandError(f"{path} is not JSON: {error}") from error
    if not isinstance(members, dict):
        raise CommandError(f"{path} is not a JSON object")
    return Priors.from_members(members, "priors")
