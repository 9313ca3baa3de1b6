"""The page of a Context Pack: a run of an agent, step by step, with its contents."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response

from a2ap.pack.errors import PackError
from a2ap.pack.manifest import Manifest
from a2ap.pack.read_manifest import read_manifest
from graph.web.address import address_of
from graph.web.json_lines import in_lines, read_json
from graph.web.negotiation import PageRoute
from graph.web.page import PagesOf, Twin
from graph.web.passport import shortened

PARTS = (
    ("system_prompt", "System prompt"),
    ("prompt", "Prompt"),
    ("input", "Input"),
    ("output", "Output"),
)
"""The parts of a manifest, in its order, each with its heading."""

router = APIRouter(route_class=PageRoute, include_in_schema=False)


@router.get("/packs/{name}")
async def pack(name: str, pages: PagesOf) -> Response:
    """Show a pack by the hash of its manifest or its ctx:// URI."""
    data = await pages.ask_for("pack", "pack", name, name=name)
    found = data["pack"]
    manifest = _manifest_of(found["manifest"])
    # `Manifest` has floating-point numbers alone: the page shows those of the bytes.
    stated = {} if manifest is None else read_json(found["manifest"])
    shown = {
        **data,
        "names": {} if manifest is None else names_of(manifest),
        "parameters": parameters_of(stated),
        "model_parameters": _written((stated.get("model") or {}).get("parameters")),
        "tools": dict(manifest.environment.tool_versions or {}) if manifest else {},
        "parts_of_manifest": [
            (title, [one for one in found["contents"] if one["part"] == part]) for part, title in PARTS
        ],
        "manifest": shortened(found["manifest"]),
    }
    twins = Twin.of(address_of("packs", found["recordHash"]), "JSON") if found["manifest"] is not None else ()
    return pages.render("pack", shown, query="pack", variables={"name": name}, twins=twins)


def names_of(manifest: Manifest) -> dict[tuple[str, int], str]:
    """Return the names of inputs and outputs by part and position; the graph does not have them."""
    inputs = {("input", place): one.name for place, one in enumerate(manifest.inputs)}
    return inputs | {("output", place): one.name for place, one in enumerate(manifest.outputs)}


def parameters_of(stated: Mapping[str, Any]) -> dict[int, str]:
    """Return the parameters of each step of a manifest that has any, as JSON."""
    steps = enumerate(stated.get("steps") or ())
    return {place: _written(step["parameters"]) for place, step in steps if step and step.get("parameters")}


def _manifest_of(text: str | None) -> Manifest | None:
    try:
        return None if text is None else read_manifest(text.encode()).manifest
    except PackError:
        # The findings of the pack say why.
        return None


def _written(values: Mapping[str, Any] | None) -> str:
    return shortened(in_lines(values, 1)) or "" if values else ""
