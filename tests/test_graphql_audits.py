"""npm's graphql-http audits our server against the GraphQL over HTTP specification: every audit passes."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from npm_tool import NoNpmError, install
from platform_fixture import platform
from served import served

from graph.platform import Platform

__all__ = ["platform"]

SOURCE = Path(__file__).parent / "graphql_audits"


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return install(SOURCE, tmp_path_factory.mktemp("npm"))
    except NoNpmError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


async def test_every_audit_of_graphql_over_http_passes(platform: Platform, audits: Path) -> None:
    async with served(platform) as address:
        process = await asyncio.create_subprocess_exec(
            "node", "audit.mjs", f"{address}/graphql", cwd=audits, stdout=asyncio.subprocess.PIPE
        )
        output, _ = await process.communicate()
    results: list[dict[str, Any]] = json.loads(output)
    assert len(results) == 61
    assert [one for one in results if one["status"] != "ok"] == []
