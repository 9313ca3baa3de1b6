"""`a2ap request list` and `show`: the requests that wait, those on a statement, and the operators drawn for them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from graph.cli.errors import CommandError
from graph.cli.options import DEFAULT_URL, AsJson, Token, Url, open_client
from graph.cli.terminal import print_json, remark, say

_FIELDS = """fragment shown on VerificationRequest {
  id signedHash criteria deadline wantedVerdicts eligibleVerifiers receivedAt logIndex
  agent { id } statement { id } drawn { operator since declined }
}"""
_OPEN = f"""query ($filter: RequestFilter, $first: Int!, $after: String) {{
  openRequests(filter: $filter, first: $first, after: $after) {{
    nodes {{ ...shown }}
    pageInfo {{ hasNextPage endCursor }}
  }}
}}
{_FIELDS}"""
_OF_STATEMENT = f"""query ($id: ID!, $first: Int!, $after: String) {{
  statement(id: $id) {{
    verificationRequests(first: $first, after: $after) {{
      nodes {{ ...shown }}
      pageInfo {{ hasNextPage endCursor }}
    }}
  }}
}}
{_FIELDS}"""

First = Annotated[int, typer.Option("--first", min=1, max=200, help="How many requests to show.")]
After = Annotated[str | None, typer.Option("--after", help="Show those after this cursor.")]


def list_requests(
    verifier: Annotated[str | None, typer.Option("--verifier", help="Only requests that are for this agent.")] = None,
    requester: Annotated[str | None, typer.Option("--requester", help="Only requests of this agent.")] = None,
    criterion: Annotated[
        list[str] | None, typer.Option("--criterion", help="Only requests that name this criterion; repeatable.")
    ] = None,
    first: First = 20,
    after: After = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """List the requests that wait for verdicts.

    A line for each request, oldest first, and one for each operator that is drawn for its statement.
    """
    conditions = {"verifier": verifier, "requester": requester, "criteria": criterion}
    with open_client(url, token) as client:
        found = client.graphql(_OPEN, {"filter": conditions, "first": first, "after": after})["openRequests"]
    _print(found, as_json=as_json)


def show(
    statement: Annotated[str, typer.Argument(help="The id of the statement.", show_default=False)],
    first: First = 20,
    after: After = None,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Show the requests on a statement, and the drawn operators.

    A line for each request, oldest first, and one for each operator that is drawn for the statement.
    """
    with open_client(url, token) as client:
        found = client.graphql(_OF_STATEMENT, {"id": statement, "first": first, "after": after})["statement"]
    if found is None:
        raise CommandError(f"no statement {statement} is there")
    _print(found["verificationRequests"], as_json=as_json)


def _print(found: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json({"requests": found["nodes"], **found["pageInfo"]})
        return
    for one in found["nodes"]:
        say(_line_of(one))
        _print_drawn(one["drawn"])
    if found["pageInfo"]["hasNextPage"]:
        remark(f"there are more: --after {found['pageInfo']['endCursor']}")


def _line_of(request: Mapping[str, Any]) -> str:
    bounds = [
        f"wants {request['wantedVerdicts']}" if request["wantedVerdicts"] is not None else "",
        f"until {request['deadline']}" if request["deadline"] is not None else "",
        f"of {', '.join(request['eligibleVerifiers'])}" if request["eligibleVerifiers"] is not None else "",
    ]
    told = "; ".join([", ".join(request["criteria"]), *filter(None, bounds)])
    return f"{request['id']} on {request['statement']['id']} of {request['agent']['id']}: {told}"


def _print_drawn(drawn: Sequence[Mapping[str, Any]] | None) -> None:
    for one in drawn or ():
        ended = f", declined {one['declined']}" if one["declined"] is not None else ""
        say(f"  drawn {one['operator']} since {one['since']}{ended}")
