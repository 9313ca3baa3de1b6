"""The output of `a2ap passport`: findings, records as cards, and states, for people and as JSON."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from a2ap.passport.check_chain import ChainReport, RecordReport
from a2ap.passport.finding import Finding, Severity
from a2ap.passport.replay import ReplayStep
from graph.cli.terminal import counted, print_json, say

_SHOWN = 400  # characters of a payload, for people
_LABELS = {Severity.ERROR: "BROKEN", Severity.GAP: "UNKNOWN", Severity.WARNING: "warning", Severity.NOTE: "note"}
_ORDER = tuple(_LABELS)


def print_report(report: ChainReport, as_json: bool) -> None:
    """Print the findings about a chain: a line for each record, each finding once, and the status at the end."""
    if as_json:
        print_json(
            {
                "status": report.status,
                "findings": [_finding(finding) for finding in report.findings],
                "records": [_record(record) for record in report.records],
            }
        )
        return
    for record in report.records:
        one = record.passport
        who = f"{one.event_type} by {one.agent_id} on {one.branch}"
        say(f"{record.status:<10}  {one.label}  {who}  {_forms(record)}")
    for finding, places in _grouped(report):
        label = _LABELS[finding.severity]
        path = f"{finding.path} " if finding.path else ""
        where = f"  [{', '.join(places[:3])}{f' and {len(places) - 3} more' if len(places) > 3 else ''}]"
        say(f"{label:<7}  {finding.code}: {path}{finding.words}{where if places else ''}")
    say(f"{counted(len(report.records), 'record')}: {report.status}")


def show_record(records: Sequence[RecordReport], hidden: Mapping[str, str], as_json: bool) -> None:
    """Print records as cards (§ Plate IA), with the findings about each; a redacted payload is not shown."""
    if as_json:
        print_json({"records": [{**_card(record, hidden), **_record(record)} for record in records]})
        return
    for number, record in enumerate(records):
        if number:
            say("")
        card = _card(record, hidden)
        root = "root, " if record.passport.parent_id is None else ""
        say(f"{card['id']}  {root}{record.status}")
        for name, value in card.items():
            if name != "id" and value is not None:
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                say(f"{name:<10}  {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}")
        for finding in record.findings:
            if finding.severity is not Severity.NOTE:
                path = f"{finding.path} " if finding.path else ""
                say(f"{_LABELS[finding.severity]:<10}  {path}{finding.words}")


def print_replay(steps: Sequence[ReplayStep], as_json: bool) -> None:
    """Print the state at each record, parents first."""
    if as_json:
        print_json({"steps": [_step(step) for step in steps]})
        return
    for number, step in enumerate(steps):
        if number:
            say("")
        found = _step(step)
        say(f"{found['id']}  {found['event']} on {found['branch']}, {found['status']}: {found['effect']}")
        for name in ("words", "output", "memory", "variables", "conflicts", "lacks"):
            if found[name]:
                text = found[name] if isinstance(found[name], str) else json.dumps(found[name], ensure_ascii=False)
                say(f"{name:<10}  {text[:_SHOWN]}{'…' if len(text) > _SHOWN else ''}")


def _forms(record: RecordReport) -> str:
    profile = record.match.profile if record.match else "no profile"
    chaining = record.chaining or "no chaining"
    signed = "" if record.signing == "none" else f", signature {record.signing}"
    return f"{profile}, {chaining}{signed}"


def _grouped(report: ChainReport) -> list[tuple[Finding, list[str]]]:
    groups: dict[tuple[str, str, str], tuple[Finding, list[str]]] = {}
    for finding in report.all_findings:
        group = groups.setdefault((finding.code, finding.path, finding.words), (finding, []))
        if finding.passport is not None:
            group[1].append(finding.passport)
    return sorted(groups.values(), key=lambda group: _ORDER.index(group[0].severity))


def _card(record: RecordReport, hidden: Mapping[str, str]) -> dict[str, Any]:
    one = record.passport
    author, event = one.part("created_by"), one.part("event")
    to = f" to {event['to_agent_id']}" if event.get("to_agent_id") else ""
    payload: Any = one.payload
    if (by := hidden.get(one.id or "")) is not None:
        payload = f"hidden by {by}"
    return {
        "id": one.label,
        "hash": f"sha256:{one.integrity_hash}" if one.integrity_hash else None,
        "version": one.version,
        "profile": _forms(record),
        "parent": one.parent_id,
        "parentHash": f"sha256:{one.parent_hash}" if one.parent_hash else None,
        "event": f"{one.event_type} at {event.get('timestamp')}{to}",
        "trace": one.members.get("trace_id"),
        "branch": one.branch,
        "agent": " · ".join(
            str(author[name]) for name in ("agent_id", "agent_name", "role", "provider", "model") if author.get(name)
        ),
        "payload": payload if one.has_payload or by is not None else None,
    }


def _record(record: RecordReport) -> dict[str, Any]:
    return {
        "id": record.passport.id,
        "status": record.status,
        "ownStatus": record.own,
        "profile": record.match.profile if record.match else None,
        "profiles": list(record.match.profiles) if record.match else [],
        "notCovered": list(record.match.uncovered) if record.match else [],
        "chaining": record.chaining,
        "signature": record.signing,
        "notBound": list(record.not_bound),
        "findings": [_finding(finding) for finding in record.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.path,
        "words": finding.words,
    }


def _step(step: ReplayStep) -> dict[str, Any]:
    return {
        "id": step.passport.label,
        "event": step.passport.event_type,
        "branch": step.passport.branch,
        "status": step.status,
        "effect": step.effect,
        "words": step.words,
        "output": step.state.output,
        "memory": step.state.memory.members(),
        "variables": step.state.variables.members(),
        "conflicts": list(step.conflicts),
        "lacks": step.state.lacks.members(),
    }
