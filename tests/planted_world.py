"""A node with two classes of closed sources, and a word in each of their fields that nobody can guess.

The words of a class are those of a version of its sources. In `OTHER` the same acts are done, and only what is closed
reads otherwise: the words are others, and the sources do not say what is quoted of them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from builders import (
    agent_id,
    agent_key,
    gold_label_message,
    key_id,
    message_id,
    pointer_to,
    reference_to,
    segment,
    sign,
    signed_answer,
    signed_decline,
    signed_endorsement,
    signed_gold_dispute,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    statement_message,
)
from packet_world import item, packet, records_of
from packs import CREATED, STEPS, pack
from passports import Maker
from scenario import AUTHOR, OPERATOR_A, VERIFIER_A, VERIFIER_B, accept, pieces, settle, signed_node_policy
from servers import receipts_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.record_registration import RecordFormat
from a2ap.messages.verification_response import Verdict
from a2ap.pack.execution_log import LogContent, LogPrompt
from a2ap.packet.packet import OpenLoop, Scope
from a2ap.passport.building import sign_record, write_passport
from a2ap.signing.disclosure import make_disclosure
from graph.platform import Platform
from graph.settings import Settings
from graph.submission.submission import Submission

ONE, OTHER = "one", "other"
CLASSES = (Boundary.INTERNAL, Boundary.CONFIDENTIAL)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
KEPT_UNTIL = {
    Boundary.INTERNAL: datetime(2026, 6, 1, tzinfo=UTC),
    Boundary.CONFIDENTIAL: datetime(2026, 7, 1, tzinfo=UTC),
}
_LETTERS = "abcdefghijklmnop"
_WORD = re.compile(rb"zq[a-p]{16}")


@dataclass(slots=True)
class Words:
    """Gives a word for each place, and remembers which class the place has."""

    versions: Mapping[Boundary, str] = field(default_factory=dict)
    planted: dict[str, Boundary] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)

    def word(self, place: str, boundary: Boundary) -> str:
        """Return the word of a place, which is planted there."""
        digest = sha256(f"{self.version(boundary)}|{place} {boundary}".encode()).digest()[:8]
        found = "zq" + "".join(_LETTERS[byte >> 4] + _LETTERS[byte & 15] for byte in digest)
        self.planted[found] = boundary
        self.places[found] = f"{place} ({boundary})"
        return found

    def hash_of(self, place: str, said: str, boundary: Boundary) -> str:
        """Return the hash of a sentence with a word of a place; planted as words are, for these are guessed from it."""
        found = sha256_digest(said.encode())
        self.planted[found.removeprefix("sha256:")] = boundary
        self.places[found.removeprefix("sha256:")] = f"hash of {place} ({boundary})"
        return found

    def version(self, boundary: Boundary) -> str:
        """Return which version of the sources of a class these words are of."""
        return self.versions.get(boundary, ONE)

    def above(self, clearance: Boundary) -> list[str]:
        """Return the planted words that a reader of this class may not have."""
        return [word for word, boundary in self.planted.items() if not clearance.covers(boundary)]


@dataclass(slots=True)
class Closed:
    """The sources and records of one class, and the bytes of each by its name."""

    boundary: Boundary
    sources: dict[str, bytes] = field(default_factory=dict)
    records: dict[str, bytes] = field(default_factory=dict)
    contents: list[tuple[bytes, bytes]] = field(default_factory=list)
    statements: list[bytes] = field(default_factory=list)

    def source_id(self, name: str) -> str:
        return f"urn:doc:planted:{self.boundary}:{name}"


class PlantedWorld:
    """Builds the world on a platform, with these versions of the sources of each class."""

    def __init__(self, platform: Platform, versions: Mapping[Boundary, str] | None = None) -> None:
        self.platform = platform
        self.words = Words(versions or {})
        self.closed = {boundary: Closed(boundary) for boundary in CLASSES}

    async def build(self) -> "PlantedWorld":
        """Do all acts."""
        await settle(self.platform)
        # An epoch that comes by itself is written a little later each time.
        await accept(self.platform, signed_node_policy(self.platform, 3, epoch_length=1_000_000))
        await accept(self.platform, signed_endorsement(signed_registration(AUTHOR), OPERATOR_A))
        for closed in self.closed.values():
            await self._sources(closed)
        for closed in self.closed.values():
            await self._statements(closed)
        for closed in self.closed.values():
            await self._judge(closed)
            await self._records(closed)
        return self

    async def _sources(self, closed: Closed) -> None:
        """Register sources, each member of whose registration has a word, and hand in their bytes."""
        texts = {
            "text": f"Minutes {self._word('bytes', closed)}.\n{self._said('quote', closed)}\nThe end.\n",
            "vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n"
            f"<v {self._word('speaker', closed)}>{self._said('spoken', closed)}\n",
            "html": f"<html><body><h1>{self._word('heading', closed)}</h1><p>{self._said('shown', closed)}</p>"
            f"<p hidden>{self._word('hidden', closed)}</p></body></html>",
            "other": f"{self._said('of other kind', closed)}\n",
            "kept": f"{self._said('kept', closed)}\n",
        }
        types = {
            "text": "text/plain",
            "vtt": "text/vtt",
            "html": "text/html",
            "kept": "text/plain",
            "other": f"text/{self._word('media type', closed)}",
        }
        registrations = []
        for name, text in texts.items():
            content = closed.sources[name] = text.encode()
            registration = signed_source(
                AUTHOR,
                source=content,
                source_id=closed.source_id(name),
                boundary=closed.boundary,
                title=f"Meeting about {self._word(f'title of {name}', closed)}",
                publisher=f"Clerk {self._word(f'publisher of {name}', closed)}",
                origin=f"https://{self._word(f'origin of {name}', closed)}.example.org/minutes",
                licence=f"Licence {self._word(f'licence of {name}', closed)}",
                rights_holder=f"Holder {self._word(f'holder of {name}', closed)}",
                media_type=types[name],
                retain_until=KEPT_UNTIL.get(closed.boundary) if name == "kept" else None,
            )
            registrations.append(registration)
        await accept(self.platform, *registrations)
        for content in closed.sources.values():
            await self.platform.sources.put(sha256_digest(content), pieces(content))

    async def _statements(self, closed: Closed) -> None:
        """Have statements that cite the sources in each way."""
        names = {"text": "quote", "vtt": "spoken", "html": "shown", "other": "of other kind", "kept": "kept"}
        quoted = [self._cited(closed, name, place) for name, place in names.items()]
        clear = self._statement(closed, "Closed sessions are quoted.", quoted[:3])
        single = self._statement(closed, "One closed session is quoted.", quoted[:1])
        others = [
            self._statement(closed, f"Quoted is {name}.", [self._cited(closed, name, names[name])])
            for name in ("other", "kept")
        ]
        wrong = {**quoted[0], "quoteText": f"It was {self._word('wrong quote', closed)}."}
        failed = self._statement(closed, "Quoted is not what it says.", [wrong])
        silent = {name: value for name, value in quoted[0].items() if name != "quoteText"}
        quiet = self._statement(closed, "A closed session is cited.", [silent], contradicts=[reference_to(clear)])
        disclosure = make_disclosure(self._said("quote", closed, in_bytes=False), b"\x07" * 16)
        hidden = {**quoted[0], "quoteText": disclosure.reference}
        disclosed = self._statement(closed, "A closed quote is disclosed.", [hidden], disclosures=[disclosure])
        by_name = {name: value for name, value in quoted[0].items() if name not in ("documentHash", "contentHash")}
        named = self._statement(closed, "A closed session is cited by name.", [by_name])
        closed.statements = [clear, single, *others, failed, quiet, disclosed, named]
        await accept(self.platform, *closed.statements)

    async def _judge(self, closed: Closed) -> None:
        """Have verdicts on the statements, and an answer, a decline, labels, a dispute and retractions."""
        clear, single, *others = closed.statements
        node = self.platform.node
        request = signed_request(clear, AUTHOR)
        challenge = self._verdict(clear, VERIFIER_A, closed, "clear", verdict=Verdict.CHALLENGED)
        reason = make_disclosure(f"It says {self._word('disclosed reason', closed)}.", b"\x09" * 16)
        confirmed = signed_response(
            clear, VERIFIER_B, verdict=Verdict.CHALLENGED, confidence=0.3, findings=[], reason=reason
        )
        taken_back = self._verdict(single, VERIFIER_B, closed, "single", verdict=Verdict.VALIDATED)
        passed = signed_response(single, VERIFIER_A)
        first = [signed_response(one, VERIFIER_A) for one in others[:3]]
        await accept(self.platform, request, challenge, confirmed, taken_back, passed, *first)
        pointer = pointer_to(
            self._said("quote", closed),
            source=closed.sources["text"],
            source_id=closed.source_id("text"),
        )
        said = {place: f"Because {self._word(place, closed)}." for place in ("decline", "answer", "gold", "dispute")}
        label = node.sign(gold_label_message(clear, labelling_agent=node.agent_id, reason=said["gold"]))
        declined = signed_request(single, AUTHOR)
        await accept(
            self.platform,
            declined,
            signed_decline(declined, VERIFIER_B, reason=said["decline"]),
            signed_answer(challenge, AUTHOR, text=said["answer"], evidence=[pointer]),
            signed_retraction(taken_back, VERIFIER_B, reason=f"It was {self._word('verdict retracted', closed)}."),
            label.envelope.received,
            signed_gold_dispute(label.envelope.received, VERIFIER_A, reason=said["dispute"]),
        )
        retracted = self._statement(closed, "This is taken back.", [self._cited(closed, "text", "quote")])
        why = f"It was {self._word('statement retracted', closed)}."
        await accept(self.platform, retracted, signed_retraction(retracted, AUTHOR, reason=why))

    async def _records(self, closed: Closed) -> None:
        """Have a passport, a pack, packets and a record of each kind about one, with words in what they hold."""
        maker = Maker()
        maker.root({"input": self._word("passport", closed), "memory": {"a": 1}}, trace_id=f"trc_{closed.boundary}")
        maker.records[0]["created_by"]["agent_id"] = agent_id(AUTHOR)
        passport = write_passport(sign_record(maker.records[0], agent_key(AUTHOR), key_id(AUTHOR)))
        run = pack(
            CREATED,
            steps=STEPS[:1],
            system_prompt=f"You are {self._word('system prompt', closed)}.",
            prompts=(LogPrompt("user", f"Sum up {self._word('prompt', closed)}"),),
            inputs=(LogContent("in.txt", self._word("pack input", closed)),),
            outputs=(LogContent(f"{self._word('output name', closed)}.txt", self._word("pack output", closed)),),
        )
        first, said = self._packet(closed), f"It is {self._word('return of a packet', closed)}."
        records: list[tuple[RecordFormat, bytes, tuple[bytes, ...]]] = [
            (RecordFormat.PASSPORT, passport, (passport,)),
            (RecordFormat.PACKET, first, (first,)),
        ]
        records.append((RecordFormat.PACK, run.data, (run.data, *run.blobs.values())))
        kinds = (RecordFormat.RECEIPT, RecordFormat.RETURN, RecordFormat.DISPOSITION)
        records += [(kind, one, (one,)) for kind, one in zip(kinds, records_of(first, AUTHOR, said), strict=True)]
        submissions = []
        for kind, content, blobs in records:
            closed.records[kind] = content
            registration = signed_record(AUTHOR, content=content, format=kind, boundary=closed.boundary)
            submissions.append(Submission(read_message(registration), blobs=blobs))
        receipts_of(await self.platform.append(submissions))
        # In an order that the words do not change.
        contents = sorted(run.blobs.values(), key=lambda content: (len(content), _WORD.sub(b"", content)))
        closed.contents = [(run.data, one) for one in contents]

    def _packet(self, closed: Closed) -> bytes:
        """Return a packet of this class, in each of whose texts is a word."""
        source = sha256_digest(closed.sources["text"])
        said = f"It says {self._word('item of a packet', closed)}."
        return packet(
            CLASSES.index(closed.boundary) + 7,
            source,
            source,
            packet_id=f"cpk_planted_{closed.boundary}",
            purpose=f"Sum up {self._word('purpose of a packet', closed)}.",
            task_ref=f"urn:task:{self._word('task of a packet', closed)}",
            open_loops=(OpenLoop("olp_1", f"Is it {self._word('open loop', closed)}?"),),
            items=(item(1, f"a2ap-document:{source}", content=said, boundary=closed.boundary),),
            scope=Scope("ws", closed.boundary, self._word("project of a packet", closed), "2026-07-05T16:00:00Z"),
        )

    def _verdict(self, statement: bytes, seed: int, closed: Closed, name: str, *, verdict: Verdict) -> bytes:
        status = FindingStatus.PASS if verdict is Verdict.VALIDATED else FindingStatus.FAIL
        findings = [
            Finding(criterion, status, f"It says {self._word(f'finding {number} of {name}', closed)}.", 0.8)
            for number, criterion in enumerate(DEFAULT_CRITERIA)
        ]
        reason = f"It says {self._word(f'reason of {name}', closed)}."
        return signed_response(statement, seed, verdict=verdict, findings=findings, reason=reason)

    def _statement(self, closed: Closed, claim: str, evidence: Iterable[Mapping[str, Any]], **changes: Any) -> bytes:
        """Return a statement, which has the same id whatever its evidence says."""
        claim = f"{claim[:-1]} ({closed.boundary})."
        number = message_id("planted", claim)
        message = statement_message(AUTHOR, claim=claim, evidence=list(evidence), statement_id=number, **changes)
        return sign(message, AUTHOR)

    def _cited(self, closed: Closed, name: str, place: str) -> dict[str, Any]:
        """Return the evidence that quotes a source, whether or not these are its words."""
        content = closed.sources[name]
        quote = self._said(place, closed, in_bytes=False)
        there = self._said(place, closed)
        return segment(
            there,
            source=content,
            source_id=closed.source_id(name),
            content_hash=self.words.hash_of(place, quote, closed.boundary),
        ) | {"quoteText": quote}

    def _said(self, place: str, closed: Closed, *, in_bytes: bool = True) -> str:
        """Return a sentence of the bytes, or the one that is quoted."""
        if in_bytes and self.words.version(closed.boundary) == OTHER:
            return f"The vote on {self._word(f'{place}, as it is', closed)} was nine to four."
        return f"The vote on {self._word(place, closed)} was nine to four."

    def _word(self, place: str, closed: Closed) -> str:
        return self.words.word(place, closed.boundary)


def settings_of(data: Path, keys: Path) -> Settings:
    """Return the settings of a node that records what does not hold, instead of refusing it."""
    return Settings(
        data=data,
        node_key=keys / "node.key",
        log_key=keys / "log.key",
        on_failed_evidence="record",
        on_unbound_verdict="record",
    )
