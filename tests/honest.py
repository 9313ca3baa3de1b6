"""Everything that an honest node must stand: audits by address and folder, a replay, a rebuild, and its bundles."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from audited import audited, empty, export_node, over_http
from graph_contents import whole_graph
from honest_history import History, Step
from http_client import OPERATOR, open_client
from rebuilding import rebuilt
from servers import log_of

from a2ap.boundary import Boundary
from a2ap.bundle.bundle import verify_bundle
from a2ap.errors import A2APError
from a2ap.messages.message import MessageType
from graph.audit.audit import Trust
from graph.audit.bundle_score import weigh_bundle
from graph.audit.bundles import BundleMaker
from graph.audit.folder_node import FolderNode
from graph.audit.report import AuditReport
from graph.clearance import OPERATOR as OPERATOR_READER
from graph.content.content_store import open_content_store
from graph.errors import ForbiddenError, RedactedError
from graph.evidence.machine_check import CheckStatus
from graph.node import load_node
from graph.past.replay import ReplayRequest, replay_into
from graph.platform import Platform, platform_on
from graph.scoring.consensus import Consensus
from graph.settings import Settings
from graph.store import Store

_FIRST = 1_000
"""More statements than a history here makes."""


async def problems_of(platform: Platform, auditor: Store, folder: Path, *, rebuild: bool = True) -> list[str]:
    """Return each finding about a node, as `where it was looked for: the finding`; none of an honest one.

    A rebuild comes last, because it writes the graph of the platform again.
    """
    found = await _found_over_http(platform, auditor)
    for clearance in (Boundary.SAFETY_SENSITIVE, Boundary.PUBLIC):
        report = await audited(
            FolderNode(await export_node(platform, folder / clearance.value, clearance)),
            auditor,
            trust=_trust(platform),
        )
        found += _lines(f"folder for {clearance.value}", report)
    found += await _unverified_bundles(platform)
    if rebuild:
        before = await whole_graph(platform.store)
        await rebuilt(platform)
        after = await whole_graph(platform.store)
        found += [f"rebuild: lost {one}" for one in before if one not in after]
        found += [f"rebuild: made {one}" for one in after if one not in before]
    return found


async def _found_over_http(platform: Platform, auditor: Store) -> list[str]:
    with TemporaryDirectory() as folder:
        async with open_client(platform, Path(folder)), over_http(platform, OPERATOR) as node:
            report = await audited(node, auditor, trust=_trust(platform))
    return _lines("address", report)


def _trust(platform: Platform) -> Trust:
    return Trust(platform.log.verifier_key)


def _lines(where: str, report: AuditReport) -> list[str]:
    unfinished = [] if report.finished else [f"{where}: was not finished: {report.unfinished}"]
    return [*(f"{where}: {finding.line}" for finding in report.findings), *unfinished]


async def _unverified_bundles(platform: Platform) -> list[str]:
    """Make a bundle of each statement, and verify it as a reader does that has nothing but the log's key."""
    found = []
    maker = BundleMaker(platform.store, platform.content, platform.log, OPERATOR_READER)
    entries = await platform.store.read("log_entries_from", start=0, first=_FIRST)
    names = [row["signed_hash"] for row in entries if row["type"] == MessageType.STATEMENT]
    for row in await platform.store.read("machine_checks_of", hashes=names):
        try:
            verify_bundle(await maker.make(row["signed_hash"]), platform.log.verifier_key, weigh=weigh_bundle)
        except (ForbiddenError, RedactedError):
            # What was erased from it is withheld from everybody.
            continue
        except A2APError as error:
            # Evidence that does not hold is its author's fault, and the node may have had no right to compare it.
            if row["machine_check"] == CheckStatus.PASS or not str(error).startswith("evidence["):
                found.append(f"bundle of {row['signed_hash']}: {type(error).__name__}: {error}")
    return found


async def _not_replayed(history: History, engine: Store) -> list[str]:
    """Write the log again, and return each score that comes out other than the node published it at that size."""
    if not history.scores:
        return []
    await empty(engine)
    entries = await log_of(history.platform.store)
    requests = [ReplayRequest(size) for size in history.scores]
    published = {(size, name): _told(one) for size, found in history.scores.items() for name, one in found.items()}
    again = {
        (request.size, one.signed_hash): _told(one.consensus)
        async for request, one in replay_into(engine, requests, lambda: entries, history.platform.content)
    }
    return [
        f"replay at {size}: the score of {name} was {published.get((size, name))}, and is now {again.get((size, name))}"
        for size, name in sorted({*published, *again})
        if published.get((size, name)) != again.get((size, name))
    ]


def _told(one: Consensus) -> str:
    return f"{one.published}, {one.verified}, {one.policy_hash}, epoch {one.epoch}"


async def problems_after(
    store: Store, auditor: Store, steps: Sequence[Step], told: Counter[str] | None = None
) -> list[str]:
    """Play a history on an empty graph, and return each finding about it; `told` counts what was done."""
    await empty(store)
    with TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(data=folder)
        content, node = open_content_store(settings), load_node(folder / "node.key")
        async with platform_on(store, content, node, settings) as platform:
            history = History(platform)
            await history.play(steps)
            if told is not None:
                told += history.taken + Counter({f"{one} refused": n for one, n in history.refused.items()})
            found = await _not_replayed(history, auditor)
            return found + await problems_of(platform, auditor, folder, rebuild=not history.has_message_as_source)
