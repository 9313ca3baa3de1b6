"""A node on which each text that an agent chooses attacks the reader of a page: markup, scripts, templates, controls of
the direction of writing, characters without a glyph, stacks of marks, letters of other scripts, and words without end.

All of it is public, so that every reader meets it.
"""

from dataclasses import replace
from html import escape
from typing import Any

from builders import (
    agent_id,
    agent_key,
    deactivation_message,
    description,
    key_id,
    pointer_to,
    reference_to,
    segment,
    sign,
    signed_agent_version,
    signed_answer,
    signed_decline,
    signed_endorsement,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    source_redaction_message,
    statement_message,
)
from packet_world import AT, STATE, item, packet
from packs import CREATED, STEPS, pack
from passports import Maker
from planted_world import Closed, PlantedWorld, Words
from scenario import AUTHOR, OPERATOR_A, accept, hash_of, pieces
from servers import receipts_of
from walk_names import Names, names_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.agent_description import AgentDescription, build_agent
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA
from a2ap.messages.record_registration import RecordFormat
from a2ap.messages.verification_response import Verdict
from a2ap.pack.execution_log import LogContent, LogEnvironment, LogModel, LogPrompt, LogStep
from a2ap.packet.packet import (
    DataContent,
    Exclusion,
    Governor,
    OpenLoop,
    Producer,
    Recipient,
    ReturnContract,
    Scope,
)
from a2ap.packet.records import (
    Output,
    PacketDisposition,
    PacketReceipt,
    PacketReturn,
    Proposal,
    ProposalAction,
    write_record,
)
from a2ap.packet.vocabulary import GovernorMode, Outcome, ProducerType
from a2ap.passport.building import sign_record, write_passport
from graph.platform import Platform
from graph.submission.submission import Submission

RUN = "window.hostile=1"
MARKUP = (
    f"<script>{RUN}</script>",
    f'<img src=x onerror="{RUN}">',
    f"\"><svg onload='{RUN}'>",
    f"' onfocus='{RUN}' autofocus tabindex='1",
    f'" onmouseover="{RUN}" style="position:fixed',
    f"</title></textarea></style></script><script>{RUN}</script>",
    f"<!--<script>{RUN}-->",
    "<base href=//evil.example/><meta http-equiv=refresh content=0;url=//evil.example>",
    f"<iframe srcdoc='<script>{RUN}</script>'></iframe><a href=javascript:{RUN}>here</a>",
    f"&lt;script&gt;{RUN}&lt;/script&gt; &#x202e;",
    f"javascript:{RUN} data:text/html,<script>{RUN}</script>",
)
PRODUCT = "370371"
TEMPLATES = "{{ 123457*3 }} {% raw %} ${123457*3} {{ self.__init__.__globals__ }}"
REORDERED = "\u202etxt.exe\u202c \u2066a\u2069 \u2067b\u2069"
HIDDEN = f"{REORDERED} z\u200bw\u2060j\ufeff\u00ad\u034f\u3164\U000e0041 \x1b[31m\x7f\u2028"
STACK = "Z" + "\u0301\u0489" * 40
ENDLESS = "W" * 400
TEXT = " ".join([*MARKUP, TEMPLATES, HIDDEN, STACK, "С\u043euncil", ENDLESS])
"""All of it in one text."""
LINE = f"{MARKUP[0]} {HIDDEN} {TEMPLATES[:16]}"
"""Enough of it for a place that takes a short text."""
QUIET = "' onfocus='" + RUN + "' \u202e\u200b"
"""A text without markup, for the places where a format would read it."""
IRI = f"javascript:{RUN}//'onload='{RUN}'\u200b"

AUTHOR_OF_TEXTS, VERIFIER_OF_TEXTS, OLD_VERSION = 31, 32, 33
NAMES = {AUTHOR_OF_TEXTS: f"{MARKUP[0]} {TEXT}", VERIFIER_OF_TEXTS: f"{MARKUP[2]} {HIDDEN}{STACK}", OLD_VERSION: LINE}
"""The names of agents."""

MEGABYTE = 2**20
_TOPIC = "zoning \u202emap"  # two words that several claims share

_WITHOUT_MARKUP = {
    "speaker": QUIET,
    "origin": f"\u0430pple'onload='{RUN}'\u200b",
    "task": QUIET,
}


class HostileWords(Words):
    """Gives a hostile text for each place."""

    def word(self, place: str, boundary: Boundary) -> str:
        """Return the text of a place."""
        found = next((word for name, word in _WITHOUT_MARKUP.items() if place.startswith(name)), TEXT)
        self.planted[found] = boundary
        return found


class HostileWorld(PlantedWorld):
    """Builds the world on a platform that records what does not hold."""

    def __init__(self, platform: Platform) -> None:
        super().__init__(platform)
        self.words = HostileWords()
        self.closed = {Boundary.PUBLIC: Closed(Boundary.PUBLIC)}
        self.endless = b""
        self.disputed: list[bytes] = []

    async def build(self) -> "HostileWorld":
        """Do all acts of the planted world with these texts, and those of agents with such names."""
        await super().build()
        closed = self.closed[Boundary.PUBLIC]
        await self._agents()
        await self._megabyte()
        await self._texts(closed)
        await self._redaction()
        return self

    async def names(self) -> Names:
        """Return what there is on the node."""
        names = await names_of(self.platform, self)
        names.sources.append(sha256_digest(self.endless))
        names.source_ids.append(IRI)
        return names

    async def _agents(self) -> None:
        """Register agents whose names, publishers and capabilities are hostile; one is a version of another."""
        registered = {seed: signed_registration(seed, agent=describe(seed)) for seed in NAMES}
        await accept(
            self.platform,
            *registered.values(),
            signed_endorsement(registered[AUTHOR_OF_TEXTS], OPERATOR_A),
            signed_endorsement(registered[VERIFIER_OF_TEXTS], OPERATOR_A),
            signed_agent_version(registered[AUTHOR_OF_TEXTS], AUTHOR_OF_TEXTS, family=IRI),
        )
        message = deactivation_message(OLD_VERSION, reason=TEXT)
        await accept(self.platform, sign(message, OLD_VERSION))

    async def _megabyte(self) -> None:
        """Have a source with a megabyte without a space, of which statements quote the middle."""
        half = b"M" * (MEGABYTE // 2)
        self.endless = b"The fence stays. " + TEXT.encode() + b"\n" + half + b"THEFENCESTAYS" + half + b"\n"
        registration = signed_source(
            AUTHOR,
            source=self.endless,
            source_id=IRI,
            title=ENDLESS * 10,
            publisher=TEXT,
            origin=f"https://evil.example/'onload='{RUN}'\u200b",
            media_type="text/plain",
        )
        await accept(self.platform, registration)
        await self.platform.sources.put(sha256_digest(self.endless), pieces(self.endless))

    async def _texts(self, closed: Closed) -> None:
        """Have claims that begin with each text, disputes about them, verdicts, a request, answers and retractions."""
        middle = [self._middle(), segment("The fence stays.", source=self.endless, source_id=IRI)]
        claims = [claim_of(f"{text} is about the {_TOPIC}.", middle) for text in (*MARKUP, HIDDEN, STACK, ENDLESS * 20)]
        claims.append(
            claim_of(f"On item 4, the fence {MARKUP[0]} act, the {LINE} Mayor said: the fence stays.", middle)
        )
        claims += [
            claim_of(f"The {_TOPIC} keeps the height limit at {number} feet. {TEXT}", middle) for number in ("40", "60")
        ]
        first, second = claims[0], claims[-1]
        self.disputed = [second, claim_of(f"No fence stays. {TEXT}", middle, contradicts=[reference_to(second)])]
        await accept(self.platform, *claims, self.disputed[1])
        request = signed_request(first, AUTHOR_OF_TEXTS, criteria=(*DEFAULT_CRITERIA, LINE))
        challenge = verdict_of(first, Verdict.CHALLENGED)
        taken_back = verdict_of(second, Verdict.VALIDATED)
        await accept(
            self.platform,
            request,
            challenge,
            taken_back,
            signed_decline(request, VERIFIER_OF_TEXTS, reason=TEXT),
            signed_answer(
                challenge,
                AUTHOR_OF_TEXTS,
                text=TEXT,
                evidence=[pointer_to("The fence stays.", source=self.endless, source_id=IRI)],
            ),
            signed_retraction(taken_back, VERIFIER_OF_TEXTS, reason=TEXT),
            signed_retraction(claims[1], AUTHOR_OF_TEXTS, reason=TEXT),
        )

    async def _redaction(self) -> None:
        """Have a source erased for hostile reasons."""
        content = b"To be erased.\n"
        await accept(self.platform, signed_source(AUTHOR, source=content, source_id="urn:doc:erased", title=TEXT))
        await self.platform.sources.put(sha256_digest(content), pieces(content))
        node = self.platform.node
        message = source_redaction_message(
            sha256_digest(content), redacting_agent=node.agent_id, reason=TEXT, legal_basis=TEXT
        )
        await accept(self.platform, node.sign(message).envelope.received)
        self.closed[Boundary.PUBLIC].sources["erased"] = content

    def _middle(self) -> dict[str, Any]:
        return segment("THEFENCESTAYS", source=self.endless, source_id=IRI)

    def _statement(self, closed: Closed, claim: str, evidence: Any, **changes: Any) -> bytes:
        return super()._statement(closed, f"{claim[:-1]} {LINE}.", evidence, **changes)

    def _said(self, place: str, closed: Closed, *, in_bytes: bool = True) -> str:
        """Return the sentence of a place; in the bytes of a format with markup it is text, and no markup."""
        said = super()._said(place, closed, in_bytes=in_bytes)
        return escape(said, quote=False) if in_bytes and place in ("spoken", "shown") else said

    async def _records(self, closed: Closed) -> None:
        """Have a chain of passports, a pack, a packet and a record of each kind about it, hostile in every text."""
        maker = Maker()
        maker.root(
            {"input": TEXT, "output": {TEXT: TEXT}, "memory": {TEXT: 1}, "variables": {"x": TEXT}}, trace_id=LINE
        )
        maker.commit(0, {"input": TEXT})
        passports = []
        for record in maker.records:
            author = {"agent_id": agent_id(AUTHOR), "agent_name": LINE, "role": LINE, "provider": LINE, "model": LINE}
            record["created_by"] |= author
            passports.append(write_passport(sign_record(record, agent_key(AUTHOR), key_id(AUTHOR))))
        run = pack(
            CREATED,
            model=LogModel(LINE, {TEXT: TEXT}),
            steps=(replace(STEPS[0], type=TEXT, tool=TEXT, output=TEXT, parameters={TEXT: TEXT}), LogStep(LINE, LINE)),
            system_prompt=TEXT,
            prompts=(LogPrompt(TEXT, TEXT),),
            inputs=(LogContent(TEXT, TEXT),),
            outputs=(LogContent(TEXT, TEXT),),
            environment=LogEnvironment(LINE, LINE, {TEXT: TEXT}),
        )
        first = self._packet(closed)
        records: list[tuple[RecordFormat, bytes, tuple[bytes, ...]]] = [
            *((RecordFormat.PASSPORT, one, (one,)) for one in passports),
            (RecordFormat.PACKET, first, (first,)),
            (RecordFormat.PACK, run.data, (run.data, *run.blobs.values())),
            *((kind, one, (one,)) for kind, one in records_about(first)),
        ]
        submissions = []
        for kind, content, blobs in records:
            closed.records[kind] = content
            submissions.append(
                Submission(
                    read_message(signed_record(AUTHOR, content=content, format=kind, boundary=closed.boundary)),
                    blobs=blobs,
                )
            )
        receipts_of(await self.platform.append(submissions))
        closed.contents = [(run.data, one) for one in run.blobs.values()]

    def _packet(self, closed: Closed) -> bytes:
        source = sha256_digest(closed.sources["text"])
        return packet(
            9,
            hash_of(closed.statements[0]),
            source,
            packet_id="cpk_hostile",
            producer=Producer(LINE, ProducerType.ASSEMBLER, TEXT),
            governor=Governor(TEXT, TEXT, TEXT, GovernorMode.ENFORCE),
            recipient=Recipient(LINE, LINE, TEXT),
            purpose=TEXT,
            task_ref=LINE,
            packet_type=LINE,
            scope=Scope(TEXT, closed.boundary, TEXT, "2026-07-05T16:00:00Z"),
            items=(
                item(1, f"a2ap-document:{source}", content=TEXT, use_guidance=TEXT, reopen_conditions=TEXT),
                item(2, f"a2ap-document:{source}", item_id=TEXT, content=DataContent(TEXT, TEXT, IRI, TEXT)),
            ),
            open_loops=(OpenLoop(TEXT, TEXT, TEXT, owner=TEXT, next_action=TEXT),),
            exclusions=(Exclusion(TEXT, closed.boundary, 1, TEXT),),
            return_contract=ReturnContract(promotion_target=TEXT, expected_outputs=(TEXT,), forbidden_outputs=(TEXT,)),
            ext={"a2ap.promoters": [TEXT], "hostile.text": TEXT},
        )


def describe(seed: int) -> AgentDescription:
    """Return the description of an agent of `NAMES`."""
    return description(seed, name=NAMES[seed], version=LINE, publisher=TEXT, capabilities=(TEXT, LINE), family=None)


def claim_of(claim: str, evidence: Any, **changes: Any) -> bytes:
    """Return a statement by the author of hostile texts."""
    message = statement_message(AUTHOR_OF_TEXTS, claim=claim, evidence=evidence, **changes)
    return sign({**message, "agent": build_agent(describe(AUTHOR_OF_TEXTS))}, AUTHOR_OF_TEXTS)


def verdict_of(statement: bytes, verdict: Verdict) -> bytes:
    """Return a verdict by the verifier with a hostile name, with hostile findings under a criterion too."""
    status = FindingStatus.PASS if verdict is Verdict.VALIDATED else FindingStatus.FAIL
    findings = [Finding(criterion, status, TEXT, 0.8) for criterion in (*DEFAULT_CRITERIA, LINE)]
    return signed_response(statement, VERIFIER_OF_TEXTS, verdict=verdict, findings=findings, reason=TEXT)


def records_about(content: bytes) -> list[tuple[RecordFormat, bytes]]:
    """Return a receipt, a return and a disposition of a packet, hostile in every text."""
    stated = sha256_digest(content)
    records = (
        PacketReceipt(LINE, LINE, AT, TEXT, LINE, stated, TEXT),
        PacketReturn(LINE, LINE, stated, AT, TEXT, (Output(LINE, TEXT, TEXT),), (_proposal(),), None, TEXT),
        PacketDisposition(LINE, LINE, Outcome.PROMOTED, AT, TEXT, STATE, stated, LINE, LINE, TEXT),
    )
    kinds = (RecordFormat.RECEIPT, RecordFormat.RETURN, RecordFormat.DISPOSITION)
    written = [write_record(record, key=agent_key(AUTHOR), key_id=key_id(AUTHOR)) for record in records]
    return list(zip(kinds, written, strict=True))


def _proposal() -> Proposal:
    return Proposal(LINE, ProposalAction.APPEND, TEXT)
