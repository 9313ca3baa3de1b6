"""The tables of `docs/how-to/verification.md`, written from `bench/results/verification.json`."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_BEGIN, _END = "<!-- {} -->", "<!-- end of {} -->"
_ANSWERS = ("accepted", "refused", "open", "sufficient")
_DELETED = {
    "one word deleted": ("deletions", "word"),
    "a span deleted": ("deletions", "span"),
    "a frame cut off": ("frames",),
    "a sentence left out that governs it": ("governed",),
}
_NAMES = ("word-alignment", "source-search", "both")


def write_tables(page: Path, results: Mapping[str, Any]) -> None:
    """Write every table between its two markers on the page. Raises ValueError if a marker is missing."""
    text = page.read_text(encoding="utf-8")
    for name, lines in (
        ("deletions", _deletions(results)),
        ("refused", _refused(results)),
        ("survivors", _survivors(results)),
        ("the gate", _gate(results)),
        ("mutations", _mutations(results)),
        ("paraphrases", _paraphrases(results)),
    ):
        begin, end = _BEGIN.format(name), _END.format(name)
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise ValueError(f"{page} has no place for {name}")
        text = "\n".join([before + begin, *lines, end + after])
    page.write_text(text, encoding="utf-8")


def _deletions(results: Mapping[str, Any]) -> Iterator[str]:
    found = results["deletions"]
    yield "| claim | verifier | " + " | ".join(f"{name}: tried | validated" for name in found) + " |"
    yield "|---|---|" + "---|---|" * len(found)
    for judge in _NAMES[:2]:
        cells = [_untouched_cell(counts["untouched"][judge]) for counts in found.values()]
        yield f"| a whole sentence, untouched | {judge} | " + " | ".join(cells) + " |"
    for title, path in _DELETED.items():
        for judge in _NAMES[:2]:
            cells = []
            for counts in found.values():
                row = counts
                for name in path:
                    row = row[name]
                tried, validated = row[judge]["tried"], row[judge]["validated"]
                # The search judge sees a part of the deletions, chosen also by the verdicts of the other: no share.
                share = str(validated) if path[0] == "deletions" and judge != _NAMES[0] else _share(validated, tried)
                cells.append(f"{tried:,} | {share}")
            yield f"| {title} | {judge} | " + " | ".join(cells) + " |"


def _untouched_cell(untouched: Mapping[str, Any]) -> str:
    tried = untouched["tried"]
    return f"{tried:,} | {_share(tried - len(untouched['refused']), tried)}"


def _refused(results: Mapping[str, Any]) -> Iterator[str]:
    yield "| captions | verifier | why a whole sentence is not validated | sentences |"
    yield "|---|---|---|---|"
    for name, found in results["deletions"].items():
        for judge in _NAMES[:2]:
            counts = Counter(row["because"] or "**no reason**" for row in found["untouched"][judge]["refused"])
            for because, count in counts.most_common():
                yield f"| {name} | {judge} | {because} | {count} |"


def _survivors(results: Mapping[str, Any]) -> Iterator[str]:
    yield "| captions | sentence | claim that was validated | allowed as |"
    yield "|---|---|---|---|"
    for name, found in results["deletions"].items():
        for row in found["survivors"]:
            yield f"| {name} | {row['sentence']} | {row['claim']} | {row['allowed'] or '**no reason**'} |"


def _gate(results: Mapping[str, Any]) -> Iterator[str]:
    best = results["best"]
    yield "| captions | form of the claim | claims | untouched, not validated | mutations | validated by mistake |"
    yield "|---|---|---|---|---|---|"
    for meeting, found in results["meetings"].items():
        for form, rows in found["mutations"].items():
            tried = sum(row["tried"] for row in rows.values())
            accepted = sum(row["accepted"][best] for row in rows.values())
            untouched = found["untouched"][form]
            refused = untouched["tried"] - untouched["accepted"][best]
            yield (
                f"| {meeting} | {form} | {found['claims']} | {_share(refused, untouched['tried'])} "
                f"| {tried:,} | {_share(accepted, tried)} |"
            )


def _mutations(results: Mapping[str, Any]) -> Iterator[str]:
    meetings = results["meetings"]
    yield (
        "| mutation of a quotation | "
        + " | ".join(f"{name}: tried | validated by {', '.join(_NAMES)}" for name in meetings)
        + " |"
    )
    yield "|---|" + "---|---|" * len(meetings)
    first = next(iter(meetings.values()))["mutations"]["quoted"]
    kind = ""
    for name, row in first.items():
        if row["kind"] != kind:
            kind = row["kind"]
            yield f"| *{kind}* |" + " | |" * len(meetings)
        cells = [_cells(found["mutations"]["quoted"][name]) for found in meetings.values()]
        yield f"| {name} | " + " | ".join(cells) + " |"


def _cells(row: Mapping[str, Any]) -> str:
    accepted = ", ".join(str(row["accepted"][name]) for name in _NAMES)
    machine = f"; machine {row['accepted']['machine']}" if row["kind"] == "machine-checkable" else ""
    return f"{row['tried']:,} | {accepted}{machine}"


def _paraphrases(results: Mapping[str, Any]) -> Iterator[str]:
    found = results["paraphrases"]
    yield f"| verifier | of {found['true']} true: validated | challenged | open | evidence called sufficient " + (
        f"| of {found['false']} false: validated | challenged | open | evidence called sufficient |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, answers in found["verifiers"].items():
        counts = (answers[truth][what] for truth in ("true", "false") for what in _ANSWERS)
        cells = [str(count) for count in counts]
        yield f"| {name} | " + " | ".join(cells) + " |"


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / max(1, whole):.2%})"
