"""`python -m bench.mutations [--captions FILE…]`: how often verifiers accept false claims and refuse true ones.

Whole sentences of the shipped captions, and of the files named, lose every word and every span in turn (`deletions`);
true extractive claims are mutated one way at a time. Every verifier that needs no network judges them, and paraphrases
written by hand beside them. All claims are counted. Writes `bench/results/verification.json` and the tables of
`docs/how-to/verification.md`. The same seed gives the same mutations.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verdict import verdict_of
from a2ap.messages.verification_response import Verdict
from bench.deletions import SENTENCE_SAMPLE, measure_deletions
from bench.evidence_mutations import MACHINE_CHECKABLE, MOVED
from bench.frame_mutations import FRAME_MUTATIONS
from bench.mutation_tables import write_tables
from bench.paraphrases import judge_paraphrases
from bench.utterances import Meeting, Utterance, blank_statement, read_meeting, stated
from bench.word_mutations import WORD_MUTATIONS, Mutation
from graph.evidence.cited_bytes import cite
from graph.evidence.machine_check import CheckStatus, check_evidence
from graph.models.errors import ModelError
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.embedding_judge import EmbeddingJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results" / "verification.json"
FORMS = ("quoted", "that-clause", "bare")
BEST = AlignmentJudge.name
SEED = 20260301
_VARIANTS = 3
# The search judge judges one deletion in so many: it looks each up in the whole source.
_ONE_IN = 40


@dataclass(slots=True)
class Tally:
    """The number of claims judged, and the number accepted by each verifier."""

    tried: int = 0
    accepted: Counter[str] = field(default_factory=Counter)

    def as_json(self, judges: Sequence[str]) -> dict[str, Any]:
        """Return the counts, for every named verifier."""
        return {"tried": self.tried, "accepted": {name: self.accepted[name] for name in judges}}


def judges() -> dict[str, Judge]:
    """Return the verifiers that need no network, by name."""
    return {judge.name: judge for judge in (AlignmentJudge(), SearchJudge())}


def measure_meeting(meeting: Meeting, seed: int, most: int | None = None) -> dict[str, Any]:
    """Judge the true claims of a meeting and all their mutations; mutate up to `most` claims, all if None."""
    panel = judges()
    names = [*panel, "both", "machine"]
    blank = blank_statement(meeting.transcript)
    result: dict[str, Any] = {"claims": len(meeting.utterances), "untouched": {}, "mutations": {}}
    for form in FORMS:
        untouched, found = Tally(), {}
        for utterance in meeting.utterances:
            _judge(stated(blank, utterance.text(form), utterance.evidence), meeting, panel, untouched)
        for kind, name, mutation in mutations(form):
            tally = Tally()
            for statement in mutated(mutation, form, meeting, Random(f"{seed} {name}"), blank, most):
                _judge(statement, meeting, panel, tally)
            found[name] = {"kind": kind, **tally.as_json(names)}
        result["untouched"][form] = untouched.as_json(names)
        result["mutations"][form] = found
    return result


def mutations(form: str) -> Iterator[tuple[str, str, Mutation]]:
    """Yield the kind, the name and the function of each mutation that applies to a form."""
    for kind, table in (
        ("words", WORD_MUTATIONS),
        ("frame", FRAME_MUTATIONS),
        ("moved evidence", MOVED),
        ("machine-checkable", MACHINE_CHECKABLE),
    ):
        for name, mutation in table.items():
            if not (kind == "frame" and form == "bare"):  # A bare claim has no frame to mutate.
                yield kind, name, mutation


def mutated(
    mutation: Mutation,
    form: str,
    meeting: Meeting,
    chance: Random,
    blank: ProvenanceStatement,
    most: int | None = None,
) -> Iterator[ProvenanceStatement]:
    """Yield up to three mutations of each claim, without those that are true claims of the meeting."""
    true = {(utterance.text(form), utterance.evidence) for utterance in meeting.utterances}
    utterances: Sequence[Utterance] = meeting.utterances
    if most is not None and len(utterances) > most:
        utterances = Random(0).sample(list(utterances), most)
    for utterance in utterances:
        for changed in islice(mutation(utterance, meeting, chance), _VARIANTS):
            if (changed.text(form), changed.evidence) not in true:
                yield stated(blank, changed.text(form), changed.evidence)


def _judge(statement: ProvenanceStatement, meeting: Meeting, panel: Mapping[str, Judge], tally: Tally) -> None:
    tally.tried += 1
    accepted = [
        name
        for name, judge in panel.items()
        if verdict_of(judge.judge(statement, meeting.transcript)) is Verdict.VALIDATED
    ]
    tally.accepted.update([*accepted, *(["both"] if len(accepted) == len(panel) else [])])
    cited = [cite(meeting.transcript.data, segment.byte_range, meeting.timings) for segment in statement.evidence]
    tally.accepted["machine"] += check_evidence(statement, cited).status is CheckStatus.PASS


def rates(result: Mapping[str, Any], form: str, judge: str = BEST) -> tuple[float, float]:
    """Return the share of mutations that a verifier accepts, and the share of untouched claims that it does not."""
    found = result["mutations"][form].values()
    accepted = sum(row["accepted"][judge] for row in found) / max(1, sum(row["tried"] for row in found))
    untouched = result["untouched"][form]
    return accepted, 1 - untouched["accepted"][judge] / max(1, untouched["tried"])


def paraphrase_judges() -> list[Judge]:
    """Return the verifiers that need no network, and the embedding judge if its model is installed."""
    try:
        return [*judges().values(), EmbeddingJudge.open()]
    except ModelError:
        return [*judges().values()]


def main() -> None:
    """Measure, write the results and the tables, and print the gated shares."""
    parser = argparse.ArgumentParser(prog="python -m bench.mutations", description=__doc__)
    parser.add_argument("--captions", type=Path, action="append", default=[], help="more captions; repeatable")
    parser.add_argument("--random-seed", type=int, default=SEED)
    parser.add_argument("--most", type=int, default=100, help="mutate so many claims of a meeting, drawn by chance")
    parser.add_argument("--sentences", type=int, default=SENTENCE_SAMPLE, help="cut so many sentences, drawn by chance")
    chosen = parser.parse_args()
    meetings = [read_meeting(path) for path in (None, *chosen.captions)]
    results: dict[str, Any] = {
        "seed": chosen.random_seed,
        "mutated": chosen.most,
        "best": BEST,
        "meetings": {meeting.name: measure_meeting(meeting, chosen.random_seed, chosen.most) for meeting in meetings},
        "deletions": {
            meeting.name: measure_deletions(
                meeting.transcript, Random(f"{chosen.random_seed} deletions"), chosen.sentences, _ONE_IN
            )
            for meeting in meetings
        },
        "paraphrases": judge_paraphrases(meetings[0].transcript, paraphrase_judges()),
    }
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write_tables(ROOT / "docs" / "how-to" / "verification.md", results)
    for name, result in results["meetings"].items():
        for form in FORMS:
            accepted, refused = rates(result, form)
            print(f"{name}, {form}: {accepted:.2%} of mutations accepted, {refused:.2%} of untouched claims refused")


if __name__ == "__main__":
    main()
