"""The page of the HTTP interface: each operation of the OpenAPI description, by tag, without a script."""

from typing import Any

import httpx
from http_client import client
from page_reader import open_page
from platform_fixture import platform

from graph.platform import Platform
from graph.web.api_docs import operations_by_tag

__all__ = ["client", "platform"]


async def test_the_page_has_each_operation_of_the_description_under_its_tag(
    platform: Platform, client: httpx.AsyncClient
) -> None:
    described = (await client.get("/openapi.json")).json()
    page = await open_page(client, "/docs")
    told = [" ".join(element.text.split()) for element in page.named("summary")]
    operations = [(method.upper(), path) for path, methods in described["paths"].items() for method in methods]
    assert len(told) == len(operations)
    for method, path in operations:
        assert any(one.startswith(f"{method} {path} ") for one in told), path
    tags = {tag for methods in described["paths"].values() for one in methods.values() for tag in one.get("tags", ())}
    assert {element.attributes["id"] for element in page.named("h2")} == {
        *(f"tag-{tag}" for tag in tags),
        "tag-graphql",
        "schemas",
    }
    assert "openapi.json" in " ".join(page.links)
    scripts = [one.attributes.get("src", "") for one in page.named("script")]
    assert all(source.startswith("./assets/") for source in scripts)


async def test_links_within_the_page_lead_to_its_elements(platform: Platform, client: httpx.AsyncClient) -> None:
    page = await open_page(client, "/docs")
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(ids)
    assert "./docs" in (await open_page(client, "/")).links


def test_an_operation_has_its_parameters_bodies_and_responses() -> None:
    described: dict[str, Any] = {
        "paths": {
            "/things/{name}": {
                "get": {
                    "operationId": "get_thing",
                    "summary": "Get Thing",
                    "tags": ["things"],
                    "description": "Give a thing.\n\nIt is `whole`.",
                    "parameters": [
                        {
                            "name": "first",
                            "in": "query",
                            "schema": {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": 20},
                        }
                    ],
                    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/T"}}}},
                    "responses": {"200": {"description": "The thing.", "content": {"text/plain": {}}}},
                }
            }
        }
    }
    (operation,) = operations_by_tag(described)["things"]
    assert (operation.method, operation.path) == ("GET", "/things/{name}")
    assert (operation.summary, operation.paragraphs) == ("Give a thing.", ("It is `whole`.",))
    (parameter,) = operation.parameters
    assert (parameter.type, parameter.default, parameter.required) == ("integer or null", "20", False)
    assert operation.bodies[0].type == "T" and operation.answers[0].bodies[0].media_type == "text/plain"
