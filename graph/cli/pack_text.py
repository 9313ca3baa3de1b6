"""The output of `a2ap pack`: findings, lists, differences and replays, for people and as JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from a2ap.pack.check_pack import PackReport
from a2ap.pack.drift import Drift
from a2ap.pack.finding import Finding, Severity
from a2ap.pack.go_time import time_order
from a2ap.pack.manifest import Manifest
from a2ap.pack.reference import pack_uri
from a2ap.pack.replay import Replay
from graph.cli.terminal import counted, print_json, say

_LABELS = {Severity.ERROR: "BROKEN", Severity.WARNING: "warning", Severity.NOTE: "note"}
_DIGITS = 12  # of a hash, for people


def short(name: str) -> str:
    """Return the first digits of a hash, for people."""
    return name.removeprefix("sha256:")[:_DIGITS]


def print_reports(reports: Sequence[PackReport], general: Sequence[Finding], as_json: bool) -> None:
    """Print the findings about packs, and about the store or file beside them."""
    holds = all(report.holds for report in reports) and all(one.severity is not Severity.ERROR for one in general)
    if as_json:
        packs = [
            {"pack": report.hash, "holds": report.holds, "findings": [_finding(one) for one in report.findings]}
            for report in reports
        ]
        print_json({"holds": holds, "packs": packs, "findings": [_finding(one) for one in general]})
        return
    for report in reports:
        form = report.manifest.form if report.manifest is not None else "no manifest"
        say(f"{'holds' if report.holds else 'BROKEN':<7}  {report.hash}  {form}")
        for finding in report.findings:
            say(f"{_LABELS[finding.severity]:<7}  {finding.code}: {finding}")
    for finding in general:
        say(f"{_LABELS[finding.severity]:<7}  {finding.code}: {finding}")
    say(f"{counted(len(reports), 'pack')}: {'nothing missing, nothing altered' if holds else 'broken'}")


def print_log(reports: Sequence[PackReport], first: int, as_json: bool) -> None:
    """Print packs, the newest first, and those that cannot be read at the end."""
    read = [(report.hash, report.manifest.manifest) for report in reports if report.manifest is not None]
    read.sort(key=lambda pair: time_order(pair[1].created), reverse=True)
    damaged = [report for report in reports if report.manifest is None]
    if as_json:
        listed = [
            {
                "pack": name,
                "created": one.created,
                "model": one.model.identifier,
                "steps": len(one.steps),
                "parent": one.parent or None,
            }
            for name, one in read[:first]
        ]
        print_json({"packs": listed, "damaged": [report.hash for report in damaged]})
        return
    for name, one in read[:first]:
        parent = f"  follows {short(one.parent)}" if one.parent else ""
        say(f"{short(name)}  {one.created}  {one.model.identifier}  {counted(len(one.steps), 'step')}{parent}")
    for report in damaged:
        say(f"{short(report.hash)}  {report.findings[0].words}")


def print_drift(first: str, second: str, drifts: Sequence[Drift], as_json: bool) -> None:
    """Print the differences between two packs, as JSON in the form of upstream's report."""
    if as_json:
        entries = [drift.members() for drift in drifts]
        print_json({"pack_hash_a": first, "pack_hash_b": second, "entries": entries, "has_drift": bool(drifts)})
        return
    for drift in drifts:
        say(f"{drift.type:<17}  {drift.words}: {_side(drift.first)} -> {_side(drift.second)}")
    say(counted(len(drifts), "difference"))


def print_replay(name: str, replay: Replay, as_json: bool) -> None:
    """Print the result of a replay for each step."""
    if as_json:
        steps = [
            {"index": one.step.index, "tool": one.step.tool, "status": one.status, "words": one.words}
            for one in replay.steps
        ]
        print_json({"pack": name, "fidelity": replay.fidelity, "steps": steps, "drift": list(replay.drift)})
        return
    for one in replay.steps:
        say(f"{one.status:<11}  [{one.step.index}] {one.step.type} {one.step.tool}: {one.words}")
    for words in replay.drift:
        say(f"{'drift':<11}  {words}")
    say(f"{pack_uri(name)}: {replay.fidelity}")


def summary_of(manifest: Manifest, name: str) -> Iterator[str]:
    """Yield the lines that list the contents of a pack."""
    yield f"pack     {name}"
    yield f"created  {manifest.created}"
    yield f"model    {manifest.model.identifier}"
    if manifest.parent:
        yield f"follows  {manifest.parent}"
    yield f"system prompt  {manifest.system_prompt}"
    for prompt in manifest.prompts:
        yield f"prompt  {prompt.role}  {prompt.content_ref}"
    for given in manifest.inputs:
        yield f"input   {given.name}  {given.size} bytes  {given.content_ref}"
    for step in manifest.steps:
        claim = "deterministic" if step.deterministic else "not deterministic"
        yield f"step    [{step.index}] {step.type} {step.tool}, {claim}  {step.output_ref or 'no output'}"
    for output in manifest.outputs:
        yield f"output  {output.name}  {output.content_ref}"
    environment = manifest.environment
    tools = ", ".join(f"{tool} {version}" for tool, version in sorted((environment.tool_versions or {}).items()))
    yield f"ran on  {environment.os}, {environment.runtime}{f', {tools}' if tools else ''}"


def _finding(finding: Finding) -> dict[str, Any]:
    return {"code": finding.code, "severity": finding.severity, "path": finding.path, "words": finding.words}


def _side(value: Any) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else repr(value)
    return short(text) if text.startswith("sha256:") else text[:80]
