"""`a2ap agent drift`: two versions of an agent, compared on the statements that both have judged."""

from typing import Annotated, Any

import typer

from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.terminal import print_json, remark, say, waiting

QUERY = """query Drift($a: ID!, $b: ID!, $first: Int!, $after: String) {
  drift(a: $a, b: $b) {
    statements complete agreements kappa
    counts { a b count }
    calibration { agent against n brier ece }
    changed(first: $first, after: $after) {
      nodes {
        logIndex
        statement { id claimText verified consensusScore }
        a { verdict confidence label }
        b { verdict confidence label }
      }
      pageInfo { hasNextPage endCursor }
    }
    claims(first: $first) {
      nodes { claim sameEvidence a { id confidence verified } b { id confidence verified } }
    }
  }
}"""


def drift(
    a: Annotated[str, typer.Argument(help="The id of one agent, such as the earlier version.")],
    b: Annotated[str, typer.Argument(help="The id of the other.")],
    first: Annotated[int, typer.Option("--first", min=1, max=200, help="How many changed verdicts to show.")] = 20,
    after: Annotated[str | None, typer.Option("--after", help="Show those after this cursor.")] = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Compare two versions of an agent.

    On the statements that both have judged: how far they agree, how well each is calibrated, and where they differ.
    """
    with open_client(url, token) as client, waiting("Comparing"):
        found = client.graphql(QUERY, {"a": a, "b": b, "first": first, "after": after})["drift"]
    if as_json:
        print_json({"a": a, "b": b, **found})
        return
    some = "" if found["complete"] else " of those that were looked at"
    kappa = _number(found["kappa"])
    say(f"{found['statements']} statements judged by both{some}, {found['agreements']} alike, kappa {kappa}")
    for one in found["calibration"]:
        against = one["against"].lower()
        say(f"{one['agent']} against {against}: n {one['n']}, Brier {_number(one['brier'])}, ECE {_number(one['ece'])}")
    for pair in found["changed"]["nodes"]:
        say(f"{pair['logIndex']} {pair['statement']['claimText']}: {_verdict(pair['a'])}, then {_verdict(pair['b'])}")
    if found["changed"]["pageInfo"]["hasNextPage"]:
        remark(f"there are more: --after {found['changed']['pageInfo']['endCursor']}")
    for claim in found["claims"]["nodes"]:
        same = "the same evidence" if claim["sameEvidence"] else "other evidence"
        say(f"both claim, on {same}: {claim['claim']}")


def _verdict(found: dict[str, Any]) -> str:
    label = f", {found['label']}" if found["label"] else ""
    return f"{found['verdict']} ({found['confidence']}{label})"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.3f}"
