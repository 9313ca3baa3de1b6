"""A run as a Context Pack: the statement, the sources read, the questions to a model, each finding, the verdict.

The grounds of a verdict are then on record step by step (A2AP-03). A finding that no model had a part in claims to be
deterministic: the same statement judged by the same version again gives the same finding.
"""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence

from a2ap.messages.finding import Finding
from a2ap.pack.execution_log import ExecutionLog, LogContent, LogEnvironment, LogModel, LogPrompt, LogStep
from a2ap.pack.packing import Pack, pack_log
from a2ap.verifier.criteria import Asked
from a2ap.verifier.material import Material
from a2ap.verifier.packs import JudgedRun

# A longer source is read, named by its hash in its step, and not carried along with every verdict.
MAX_CONTENT = 4 * 2**20
"""Maximum number of bytes of one source in a pack."""
MAX_CONTENTS = 16 * 2**20
"""Maximum number of bytes of all sources in a pack."""

_INSTRUCTIONS = "Judge the statement by its criteria: fetch what it cites, and compare."


def pack_run(run: JudgedRun) -> Pack:
    """Return the pack of a run."""
    statement = run.material.statement.envelope
    sources = dict(_carried(run.material))
    log = ExecutionLog(
        LogModel(run.asked[0].model if run.asked else f"a2ap-verifier/{run.method}", {"method": run.method}),
        run.asked[0].instructions if run.asked else _INSTRUCTIONS,
        _environment(run.versions),
        tuple(_prompts(run.asked)),
        (
            LogContent(statement.id, statement.received),
            *(LogContent(name, content) for name, content in sources.items()),
        ),
        tuple(_steps(run, sources)),
        (LogContent("verdict.json", _verdict(run)),),
    )
    return pack_log(log, run.at)


def _environment(versions: Mapping[str, str]) -> LogEnvironment:
    tools = dict(sorted(version.rsplit(" ", 1) for version in set(versions.values()) if " " in version))
    return LogEnvironment(platform.system().lower(), f"python{platform.python_version()}", tools)


def _carried(material: Material) -> Iterator[tuple[str, bytes]]:
    room = MAX_CONTENTS
    for name, source in material.sources.items():
        if len(source.data) <= min(room, MAX_CONTENT):
            room -= len(source.data)
            yield name, source.data


def _prompts(asked: Sequence[Asked]) -> Iterator[LogPrompt]:
    for one in asked:
        yield LogPrompt("user", one.question)
        yield LogPrompt("assistant", one.answer)


def _steps(run: JudgedRun, sources: Mapping[str, bytes]) -> Iterator[LogStep]:
    statement = run.material.statement.envelope
    index = 0

    def step(kind: str, tool: str, output: str | bytes, parameters: dict[str, str], deterministic: bool) -> LogStep:
        nonlocal index
        index += 1
        return LogStep(kind, tool, output, parameters, deterministic, run.at, index - 1)

    yield step("tool_call", "fetch_statement", statement.received, {"signedHash": statement.signed_hash}, True)
    for name in run.material.sources:
        yield step("tool_call", "fetch_source", sources.get(name, b""), {"documentHash": name}, True)
    for one in run.asked:
        yield step("reasoning", one.model, one.answer, {"statement": statement.signed_hash}, False)
    for finding in run.findings:
        tool = run.versions.get(finding.criterion, run.method).rsplit(" ", 1)[0]
        about = {"criterion": finding.criterion, "statement": statement.signed_hash}
        yield step("reasoning", tool, _json(_finding(finding)), about, run.deterministic)


def _verdict(run: JudgedRun) -> str:
    findings = [_finding(finding) for finding in run.findings]
    return _json({"verdict": run.verdict.value, "confidence": run.confidence, "findings": findings})


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "criterion": finding.criterion,
        "status": finding.status.value,
        "evidence": finding.evidence,
        "confidence": finding.confidence,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
