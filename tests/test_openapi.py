"""Every route that `/openapi.json` describes, asked by whoever with what nobody would think of: none fails inside."""

import asyncio
from typing import Any

import pytest
import schemathesis
from http_client import OPERATOR, READERS, bearer, client
from hypothesis import HealthCheck, Phase, given, settings
from platform_fixture import platform
from scenario import verified_world
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance
from subscribing import with_readers

from graph.log.entry import log_size
from graph.platform import Platform

__all__ = ["client", "platform"]


@schemathesis.serializer("application/x-tar", "application/x-ndjson", "application/json-seq")
def as_it_is(context: Any, value: Any) -> Any:
    """Send whatever is thought of as the bytes of an archive, or of many documents."""
    return value if isinstance(value, bytes) else str(value).encode()


EXAMPLES = 6  # for each operation; each is a request of everybody
EVERYBODY = [bearer(OPERATOR), bearer(READERS["internal"]), {}]
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]


@pytest.mark.timeout(1800)  # a hang; on a quiet machine it takes half a minute
async def test_no_route_fails_inside_whatever_it_is_asked(platform: Platform) -> None:
    await verified_world(platform)
    # The engine that scores are replayed in takes its time to start, in which they are "not ready", with status 503.
    await platform.pasts.scores.reach(0, await log_size(platform.store), 1000, 300)
    async with with_readers(platform) as address:
        asked, wrong = await asyncio.to_thread(ask_everything, address)
    assert wrong == []
    assert asked > 45


def ask_everything(address: str) -> tuple[int, list[str]]:
    """Ask each operation and return how many there are and what was wrong."""
    description = schemathesis.openapi.from_url(f"{address}/openapi.json")
    operations = [found.ok() for found in description.get_all_operations() if isinstance(found, Ok)]
    return len(operations), [said for operation in operations for said in ask(operation)]


def ask(operation: Any) -> list[str]:
    """Ask one operation a few times, each time as everybody; return what was wrong with an answer."""

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def asked(case: Any) -> None:
        for headers in EVERYBODY:
            case.call_and_validate(checks=CHECKS, headers=headers, timeout=120)

    try:
        asked()
    except (Exception, BaseExceptionGroup) as error:
        return [f"{operation.label}: {error}"]
    return []
