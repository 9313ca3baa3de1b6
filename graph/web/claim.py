"""The page of a statement: four checks, the evidence, the verdicts, and the way to the score."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from graph.web.address import address_of
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/statements/{name}")
async def claim(name: str, pages: PagesOf) -> Response:
    """Show a statement by its id or its signed hash."""
    data = await pages.ask_for("claim", "statement", name, statementId=name)
    statement = data["statement"]
    address = address_of("statements", statement["signedHash"])
    shown = {**data, "agents": agents_around(statement), "review": claim_review(statement)}
    twins = Twin.of(address, "JSON", "JSON-LD", "Turtle", "N-Quads")
    return pages.render("claim", shown, query="claim", variables={"statementId": name}, twins=twins)


def agents_around(statement: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the agents and operators around a statement, by their ids."""
    agents = [statement["generatedBy"], *(given["agent"] for given in statement["verificationsConnection"]["nodes"])]
    known = [*agents, *(operator for agent in agents for operator in agent["endorsedBy"])]
    return {agent["id"]: agent for agent in known}


def claim_review(statement: dict[str, Any]) -> dict[str, Any]:
    """Return the statement as a ClaimReview of schema.org: the platform's score of the claim, if it has one."""
    consensus = statement["consensus"]
    rating = {
        "reviewRating": {
            "@type": "Rating",
            "ratingValue": consensus["score"],
            "worstRating": 0,
            "bestRating": 1,
            "alternateName": statement["standing"],
        }
    }
    return {
        "@context": "https://schema.org",
        "@type": "ClaimReview",
        "claimReviewed": statement["claimText"],
        "author": {"@type": "Organization", "name": "A2AP provenance platform"},
        "itemReviewed": {
            "@type": "Claim",
            "author": {"@type": "Organization", "name": statement["generatedBy"]["name"]},
            "datePublished": statement["generatedAt"],
        },
        **(rating if consensus["judged"] else {}),
    }
