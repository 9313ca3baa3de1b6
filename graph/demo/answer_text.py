"""Answers as text for a terminal: speaker and time, the exact words, the verifiers, and the score."""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from rich.console import Console, Group
from rich.style import Style
from rich.table import Table
from rich.text import Text

from graph.demo.answer import Answer, Quotation, VerdictGiven
from graph.demo.claim_words import take_apart
from graph.demo.links import moment
from graph.demo.voices import SpeakerOf
from graph.scoring.standing import HOLDS, MEANINGS, SAID, SAID_OR_HOLDS, score_words
from graph.transcripts.captions import spoken_text
from graph.verifier.claim_kind import as_sentence

SHOWN = 6
_OPEN = "not yet accepted"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_DIM, _WHO, _GOOD, _BAD = Style(dim=True), Style(color="cyan"), Style(color="green"), Style(color="yellow")
_MACHINE = {"FAIL": "This node compared the quotation with the source, and the source does not say it."}
_MACHINE_UNKNOWN = "This node does not hold the source, and has compared nothing with it."


def print_answers(
    console: Console,
    question: str,
    answers: Sequence[Answer],
    *,
    media: str | None = None,
    speaker_of: SpeakerOf = lambda _: None,
    shown: int = SHOWN,
) -> None:
    """Print the best answers in the order of their source: those said, those that hold, those not yet accepted.

    `media` is the address of the recording; `speaker_of` returns the speaker of a passage, if known.
    """
    print_question(console, question)
    if not answers:
        console.print("Nobody has made a statement about that.\n")
        return
    console.print(Text(_summary(answers), _DIM))
    print_statements(console, answers, media=media, speaker_of=speaker_of, shown=shown, ranked=True)


def print_question(console: Console, question: str) -> None:
    """Print a question as the heading of its answer."""
    console.print()
    console.print(Text(_plain(question), style="bold"))


def print_statements(
    console: Console,
    answers: Sequence[Answer],
    *,
    media: str | None = None,
    speaker_of: SpeakerOf = lambda _: None,
    shown: int = SHOWN,
    ranked: bool = False,
) -> None:
    """Print up to `shown` statements of each standing; those not yet accepted with their missing conditions.

    `ranked` ones come with the most relevant first, and those that are shown are in the order of their source.
    """
    several = len({quotation.document for answer in answers for quotation in answer.evidence}) > 1
    numbers = count(1)
    for words, group in _grouped(answers):
        best = sorted(group[:shown], key=_place) if ranked else group[:shown]
        console.print()
        heading = f"{words[0].upper()}{words[1:]}{_which(len(best), len(group), ranked=ranked)}"
        console.print(Text(f"{heading}:", style="bold"))
        if words in MEANINGS:
            console.print(Text(f"({MEANINGS[words]})", _DIM))
        for answer in best:
            console.print()
            console.print(_shown(next(numbers), answer, media, speaker_of, several=several))
    console.print()


def _summary(answers: Sequence[Answer]) -> str:
    titles = dict.fromkeys(q.title for answer in answers for q in answer.evidence if q.title)
    about = f" on {_plain(next(iter(titles)))}" if len(titles) == 1 else ""
    number = f"{len(answers)} statement{'' if len(answers) == 1 else 's'}{about}"
    return f"{number}: {'; '.join(f'{len(group)} {words}' for words, group in _grouped(answers))}."


def _grouped(answers: Sequence[Answer]) -> list[tuple[str, list[Answer]]]:
    """Return the answers by their standing, those without any left out."""
    words_of = [(answer.standing if answer.accepted else _OPEN, answer) for answer in answers]
    groups = [
        (words, [one for other, one in words_of if other == words]) for words in (SAID, HOLDS, SAID_OR_HOLDS, _OPEN)
    ]
    return [(words, group) for words, group in groups if group]


def _which(shown: int, known: int, *, ranked: bool) -> str:
    if shown == known:
        return ""
    if not ranked:
        return f", the first {shown} of {known}"
    if shown == 1:
        return f", the one of {known} that says most"
    return f", the {shown} of {known} that say most, in the order of the source"


def _shown(number: int, answer: Answer, media: str | None, speaker_of: SpeakerOf, *, several: bool) -> Group:
    said = answer.said
    lines: list[Text | Table] = []
    if heading := _heading(said, media, speaker_of, several=several):
        lines.append(heading)
    lines += _claimed(answer, said)
    others = len(answer.evidence) - len(said)
    if others:
        lines.append(Text(f"(and {others} more cited for context)", _DIM))
    lines += _checks(answer)
    lines.append(Text(f"{answer.statement}, stated by {_plain(answer.agent_name)}", _DIM))
    body = Table.grid(padding=(0, 1, 0, 0))
    body.add_column(justify="right", width=3, style="bold")
    body.add_column()
    body.add_row(f"{number}", Group(*lines))
    return Group(body)


def _claimed(answer: Answer, said: Sequence[Quotation]) -> tuple[Text, Table]:
    """Return the claim and the cited words; if the claim quotes just these words, they are shown once.

    A claim that is not accepted is shown as a statement of its author.
    """
    states = "" if answer.accepted else f"{_plain(answer.agent_name)} states: "
    words = [_plain(quotation.quote) for quotation in said]
    parts = take_apart(answer.claim)
    if parts.quote is not None and all(words) and " ".join(words) == _plain(parts.quote):
        words[0] = f"“{words[0]}"
        words[-1] = f"{words[-1]}”"
        return Text(f"{states}{_plain(parts.frame)} said:", style="bold"), _quotations(said, words)
    told = as_sentence(answer.claim, answer.claim_kind) if answer.accepted else answer.claim
    claim = Text(f"{states}{_plain(told)}", style="bold")
    return claim, _quotations(said, [f"“{word}”" if word else "" for word in words])


def _heading(said: Sequence[Quotation], media: str | None, speaker_of: SpeakerOf, *, several: bool) -> Text | None:
    """Return the speaker, the time and the address of the recording; with `several` documents also the document."""
    parts = Text(style=_WHO)
    if said and (speaker := speaker_of(said[0])):
        parts.append(_plain(speaker))
    spans = [quotation.timestamp for quotation in said if quotation.timestamp is not None]
    if spans:
        times = f"{min(start for start, _ in spans)}–{max(end for _, end in spans)}"
        parts.append(f", {times}" if parts else times)
    if several and said:
        document = _plain(said[0].title or said[0].document)
        parts.append(f", {document}" if parts else document)
    starts = [quotation.start_ms for quotation in said if quotation.start_ms is not None]
    if media is not None and starts:
        address = moment(media, min(starts))
        parts.append("  ").append(address, Style(link=address, underline=True))
    return parts if parts else None


def _quotations(said: Sequence[Quotation], words: Sequence[str]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="italic")
    table.add_column(no_wrap=True, style=_DIM)
    for quotation, shown in zip(said, words, strict=True):
        instead = "withheld from this reader" if quotation.withheld else "no quote"
        table.add_row(Text(shown or instead), f"bytes {quotation.start}–{quotation.end}")
    return table


def _checks(answer: Answer) -> Iterator[Text]:
    if answer.status == "RETRACTED":
        because = f": {_plain(answer.retracted_because)}" if answer.retracted_because else ""
        yield Text(f"✗ retracted by its author{because}", _BAD)
    elif answer.status == "SUPERSEDED":
        yield Text(f"✗ superseded by its author's revision {_plain(answer.superseded_by or '')}", _BAD)
    score = score_words(answer.consensus_score, answer.interval, answer.operators)
    yield Text(f"{'✓' if answer.verified else '✗'} {answer.standing}, {score}", _GOOD if answer.verified else _BAD)
    judged = [verdict for verdict in answer.verifications if not verdict.machine]
    given = [verdict for verdict in judged if verdict.counts]
    others = f" ({len(judged) - len(given)} more not counted)" if len(given) < len(judged) else ""
    by = "by" if answer.verified else "judged by"
    yield Text(f"  {by} {', '.join(map(_told, given)) or 'nobody'}{others}", _DIM)
    for missing in answer.missing:
        yield Text(f"  missing: {_plain(missing)}", _BAD)
    if answer.machine_check != "PASS":
        yield Text(f"  {_MACHINE.get(answer.machine_check, _MACHINE_UNKNOWN)}", _BAD)
    for verdict in given:
        if verdict.reason and verdict.verdict != "VALIDATED":
            yield Text(f"  {_plain(f'{verdict.name}: {verdict.reason}')}", _BAD)
        for finding in verdict.findings:
            if finding["status"] != "PASS":
                words = f", {finding['evidence']}" if finding["evidence"] else ""
                found = f"{verdict.name} on {finding['criterion']}: {finding['status'].lower()}{words}"
                yield Text(f"  {_plain(found)}", _BAD)


def _told(verdict: VerdictGiven) -> str:
    operators = f" ({' and '.join(verdict.operators)})" if verdict.operators else ""
    said = "" if verdict.verdict == "VALIDATED" else f" {verdict.verdict.lower().replace('_', ' ')}"
    return _plain(f"{verdict.name}{operators}{said} {verdict.confidence:.2f}")


def _place(answer: Answer) -> tuple[str, int]:
    first = answer.said[0] if answer.said else None
    return (first.document, first.start) if first is not None else ("", 0)


def _plain(text: str) -> str:
    """Return an untrusted text as one line without control characters."""
    return _CONTROL.sub("�", spoken_text(text))
