"""The author's run as a Context Pack: the captions that were read, and each claim that was drawn from them."""

import platform
from collections.abc import Sequence

from a2ap.pack.execution_log import ExecutionLog, LogContent, LogEnvironment, LogModel, LogStep
from a2ap.pack.packing import Pack, pack_log
from graph.demo.claims import EXTRACTIVE, DraftClaim
from graph.demo.source import DemoSource
from graph.verifier.run_pack import MAX_CONTENT

_INSTRUCTIONS = "Find what was said about each topic, and claim it with the exact bytes that carry it."


def pack_claims(claims: Sequence[DraftClaim], source: DemoSource, at: str) -> Pack:
    """Return the pack of the run that drew these claims from a source; the same claims give the same pack."""
    carried = source.data if len(source.data) <= MAX_CONTENT else b""
    read = LogStep("tool_call", "read_captions", carried, {"documentHash": source.document_hash}, True, at)
    methods = sorted({claim.method for claim in claims})
    log = ExecutionLog(
        LogModel("a2ap-demo/author", {"methods": methods}),
        _INSTRUCTIONS,
        LogEnvironment(platform.system().lower(), f"python{platform.python_version()}"),
        inputs=[LogContent(source.file_name, carried)] if carried else [],
        steps=[read, *(_step(number, claim, at) for number, claim in enumerate(claims, start=1))],
        outputs=[LogContent(f"claim-{number}", claim.text) for number, claim in enumerate(claims, start=1)],
    )
    return pack_log(log, at)


def _step(number: int, claim: DraftClaim, at: str) -> LogStep:
    ranges = [[citation.cue.start, citation.cue.end] for citation in claim.citations]
    about = {"byteRanges": ranges, "confidence": claim.confidence}
    return LogStep("reasoning", claim.method, claim.text, about, claim.method == EXTRACTIVE, at, number)
