"""The demonstration from end to end: captions become signed claims, two strangers check them, a question is answered.

What each step needs it gets over the public HTTP API, as any agent would. The one thing that only the node can do is to
say whose endorsements count: its policy names the two operators.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from a2ap.boundary import Boundary
from a2ap.client import Client, ProblemError, Receipt, receipts
from a2ap.message import read_message
from a2ap.policy import DEFAULT_CRITERIA, Policy
from a2ap.source_registration import build_source_registration
from graph.demo.agent import Agent, new_id
from graph.demo.alignment import AlignmentJudge
from graph.demo.answer import answers_about, ask
from graph.demo.author import CitedSource, sign_requests, sign_statements
from graph.demo.cast import Cast
from graph.demo.errors import DemoError
from graph.demo.generator import TopicClaims, generate_claims
from graph.demo.judge import Judge
from graph.demo.model_judge import ModelJudge
from graph.demo.outbox import Outbox
from graph.demo.podcast import Recording, Spoken, write_podcast
from graph.demo.result import DemoOptions, DemoResult
from graph.demo.search import SearchJudge
from graph.demo.seeding import seed_policy
from graph.demo.source import DemoSource, open_source
from graph.demo.traceability import trace
from graph.demo.transcript import Transcript
from graph.demo.verifier import Verifier
from graph.node import Node

_VERIFIED = """
query Verified($author: ID!, $first: Int!, $after: Int) {
  agent(id: $author) { statements(first: $first, after: $after) { id verified logIndex } }
}
"""
_PAGE = 100


async def run_demo(
    options: DemoOptions,
    base_url: str,
    node: Node,
    *,
    clock: Callable[[], datetime],
    console: Console,
    policy: Policy | None = None,
) -> DemoResult:
    """Run the demonstration against the server at `base_url`, whose node is `node`; progress goes to `console`.

    `policy` is the one in force: its seeds keep counting beside the demonstration's operators. Run again on the same
    folder it says the same things again, which changes nothing. Raises DemoError, and A2APError where the platform
    refuses.
    """
    stop = Event()
    try:
        return await asyncio.to_thread(_Run(options, base_url, node, clock, console, policy, stop).run)
    except asyncio.CancelledError:
        stop.set()
        raise


class _Run:
    """One run of the demonstration, in a thread of its own."""

    def __init__(
        self,
        options: DemoOptions,
        base_url: str,
        node: Node,
        clock: Callable[[], datetime],
        console: Console,
        policy: Policy | None,
        stop: Event,
    ) -> None:
        self._options = options
        self._base_url = base_url
        self._node = node
        self._clock = clock
        self._console = console
        self._policy = policy
        self._stop = stop

    def run(self) -> DemoResult:
        """Do everything, step by step."""
        options = self._options
        with (
            Client(self._base_url) as client,
            Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=self._console,
            ) as progress,
        ):
            self._progress = progress
            # 1. Read the captions and find something to say.
            source = open_source(options.source, options.media)
            transcript, topics = self._step("Reading the captions", lambda: self._read(source))
            # 2. The agents introduce themselves, and the node says whose word counts.
            cast = Cast.at(options.folder / "agents")
            self._step("Registering the agents", lambda: cast.register(client, self._clock))
            self._step("Setting the policy", lambda: self._set_policy(client, cast))
            # 3. The author hands in the source, the claims, and asks for them to be verified.
            self._step("Handing in the source", lambda: self._hand_in(client, cast.author, source))
            said = self._step("Signing the claims", lambda: self._say(client, cast.author, source, topics))
            # 4. Two verifiers with nothing in common but the source take up the requests.
            self._verify(cast)
            # 5. What came of it.
            verified = self._verified(client, cast.author)
            podcast = self._write_podcast(source, topics, said, verified)
            answers = answers_about(ask(client, options.question), source.document_hash)
            traced = self._step(
                "Tracing every claim",
                lambda: trace([client.statement(statement) for statement in said.values()], source.data),
            )
        return DemoResult(
            options.question,
            answers,
            traced,
            sum(statement in verified for statement in said.values()),
            source,
            transcript,
            podcast,
        )

    def _step(self, name: str, work: Callable[[], Any]) -> Any:
        self._check_stopped()
        task = self._progress.add_task(name, total=1)
        result = work()
        self._progress.update(task, completed=1)
        return result

    def _check_stopped(self) -> None:
        if self._stop.is_set():
            raise DemoError("stopped")

    def _read(self, source: DemoSource) -> tuple[Transcript, tuple[TopicClaims, ...]]:
        transcript = Transcript.read(source.data)
        topics = generate_claims(transcript.sentences, self._options.model, self._progress.console.print)
        if not topics:
            raise DemoError(f"{source.file_name} holds no sentence worth a claim")
        return transcript, topics

    def _set_policy(self, client: Client, cast: Cast) -> None:
        outbox = Outbox(self._options.folder / "policy.ndjson")
        operators = tuple(operator.id for operator in cast.operators)
        policy = seed_policy(self._node, operators, self._policy, outbox, self._clock)
        if policy is not None:
            client.set_policy(policy)

    def _hand_in(self, client: Client, author: Agent, source: DemoSource) -> None:
        registration = author.sign_once(
            f"source {source.source_id} {source.document_hash} {source.origin}",
            lambda: build_source_registration(
                registration_id=new_id(),
                registered_at=self._clock(),
                registering_agent=author.id,
                source_id=source.source_id,
                document_hash=source.document_hash,
                boundary=Boundary.PUBLIC,
                title=source.title,
                origin=source.origin,
                media_type=source.media_type,
                byte_length=len(source.data),
            ),
        )
        client.register_source(registration)
        client.put_source(source.document_hash, source.data)

    def _say(self, client: Client, author: Agent, source: DemoSource, topics: Sequence[TopicClaims]) -> dict[str, str]:
        """Submit a statement for each claim and request its verification; return the statement of each claim's text."""
        claims = [claim for topic in topics for claim in topic.claims]
        cited = CitedSource(source.source_id, source.document_hash, source.data)
        statements = sign_statements(author, claims, cited, self._clock)
        answers = client.submit_many(statements)
        targets = [_target(client, message, answer) for message, answer in zip(statements, answers, strict=True)]
        requests = sign_requests(author, targets, DEFAULT_CRITERIA, self._clock)
        list(receipts(client.submit_many(requests)))
        return {claim.text: target for claim, (target, _) in zip(claims, targets, strict=True)}

    def _verify(self, cast: Cast) -> None:
        judges: tuple[tuple[Agent, Judge], ...] = (
            (cast.aligner, self._judge(AlignmentJudge())),
            (cast.searcher, self._judge(SearchJudge())),
        )
        with ThreadPoolExecutor(len(judges)) as pool:
            for done in [pool.submit(self._answer_requests, agent, judge, cast.author.id) for agent, judge in judges]:
                done.result()

    def _judge(self, by_words: Judge) -> Judge:
        model = self._options.model
        return by_words if model is None else ModelJudge(model, by_words, self._progress.console.print)

    def _answer_requests(self, agent: Agent, judge: Judge, author: str) -> None:
        with Client(self._base_url) as client:
            verifier = Verifier(agent, judge, client)
            requests = verifier.open_requests(author)
            task = self._progress.add_task(f"{agent.description.name} verifies", total=len(requests))
            verdicts = []
            for request in requests:
                self._check_stopped()
                verdicts.append(verifier.respond(request, self._clock))
                self._progress.advance(task)
            list(receipts(client.submit_many(verdicts)))

    def _verified(self, client: Client, author: Agent) -> frozenset[str]:
        verified: set[str] = set()
        after: int | None = None
        while True:
            data = client.graphql(_VERIFIED, {"author": author.id, "first": _PAGE, "after": after})
            statements = data["agent"]["statements"]
            verified |= {row["id"] for row in statements if row["verified"]}
            if len(statements) < _PAGE:
                return frozenset(verified)
            after = statements[-1]["logIndex"]

    def _write_podcast(
        self,
        source: DemoSource,
        topics: Sequence[TopicClaims],
        said: dict[str, str],
        verified: frozenset[str],
    ) -> Path:
        spoken = {text: Spoken(statement, statement in verified) for text, statement in said.items()}
        recording = Recording(source.title, source.document_hash, self._options.media)
        path = self._options.folder / "podcast.md"
        path.write_text(write_podcast(recording, topics, spoken, self._base_url), encoding="utf-8")
        return path


def _target(client: Client, message: dict[str, Any], answer: Receipt | ProblemError) -> tuple[str, str]:
    """Return id and signed hash of a statement; one that the author made before, and forgot, counts as it stands."""
    if isinstance(answer, Receipt):
        return answer.id, answer.signed_hash
    if answer.status != 409:
        raise answer
    return message["@id"], read_message(client.statement(message["@id"])).envelope.signed_hash
