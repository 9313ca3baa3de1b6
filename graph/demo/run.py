"""The demonstration from end to end: captions become signed claims, two verifiers check them, a question is answered.

Each step uses the public HTTP API, as any agent would. Only the node can decide whose endorsements count: its policy
names the two operators.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

from rich.console import Console

from a2ap.client import Client, receipts
from a2ap.messages.policy import Policy, build_policy
from graph.demo.agent import Agent, new_id
from graph.demo.answer import answers_about
from graph.demo.asking import ask
from graph.demo.author import Author, Said
from graph.demo.cast import Cast
from graph.demo.errors import DemoError
from graph.demo.generator import TopicClaims, generate_claims
from graph.demo.model_judge import ModelJudge
from graph.demo.podcast import Recording, Spoken, write_podcast
from graph.demo.result import DemoOptions, DemoResult
from graph.demo.source import DemoSource, open_source
from graph.demo.steps import Steps
from graph.demo.traceability import Traceability, trace
from graph.demo.verifier import Verifier
from graph.node import Node
from graph.scoring.standing import ClaimKind
from graph.transcripts.errors import CaptionError
from graph.transcripts.transcript import Transcript
from graph.verifier.alignment import AlignmentJudge
from graph.verifier.judging import Judge
from graph.verifier.search import SearchJudge

_KEPT = ("threshold", "quorum", "method", "criteria", "unseededWeight", "version", "epochLength", "priors")


def seed_policy(
    node: Node, operators: Sequence[str], in_force: Policy | None, clock: Callable[[], datetime]
) -> dict[str, Any] | None:
    """Return the policy to set, signed by the node; None if the one in force has these operators already.

    Only the seeds change.
    """
    seeds = in_force.seeds if in_force is not None else ()
    missing = [operator for operator in operators if operator not in seeds]
    if not missing:
        return None
    message = build_policy(policy_id=new_id(), issued_at=clock(), issuing_agent=node.agent_id, seeds=(*seeds, *missing))
    if in_force is not None:
        stated = in_force.envelope.document
        message |= {name: stated[name] for name in _KEPT if name in stated}
    return dict(node.sign(message).envelope.document)


_VERIFIED = """
query Verified($author: ID!, $first: Int!, $after: String) {
  statements(filter: {agent: $author, verified: true}, first: $first, after: $after) {
    nodes { id claimKind }
    pageInfo { hasNextPage endCursor }
  }
}
"""
_PAGE = 100
_MODEL_CALLS_AT_ONCE = 4
_REQUESTS_AT_ONCE = 4


async def run_demo(
    options: DemoOptions,
    base_url: str,
    node: Node,
    *,
    clock: Callable[[], datetime],
    console: Console,
    policy: Policy | None,
) -> DemoResult:
    """Run the demonstration against the server at `base_url`, whose node is `node`; progress goes to `console`.

    `policy` is the one in force: its seeds keep counting beside the demonstration's operators. A second run on the same
    folder makes the same statements, which changes nothing. Raises DemoError, and A2APError if the platform refuses.
    """
    stop = Event()
    try:
        return await asyncio.to_thread(_run, options, base_url, node, policy, clock, console, stop)
    except asyncio.CancelledError:
        stop.set()
        raise


def _run(
    options: DemoOptions,
    base_url: str,
    node: Node,
    policy: Policy | None,
    clock: Callable[[], datetime],
    console: Console,
    stop: Event,
) -> DemoResult:
    with Client(base_url) as client, Steps.on(console, stop) as steps:
        # 1. Read the captions and find something to say.
        source = open_source(options.source, options.media)
        transcript, topics = steps.run(
            "Reading the captions",
            lambda: _read(source, options, steps),
            lambda read: f"Read {len(read[0].cues)} captions: {_topics(read[1])}",
        )
        # 2. The agents introduce themselves, and the node says whose word counts.
        cast = Cast.at(options.folder / "agents")
        steps.run(
            "Registering the agents",
            lambda: cast.register(client, clock),
            lambda _: "Registered one author, two verifiers, two operators",
        )
        seeded = seed_policy(node, [operator.id for operator in cast.operators], policy, clock)
        if seeded is not None:
            client.set_policy(seeded)
        # 3. The author hands in the source and the claims, and asks for them to be verified.
        author = Author(cast.author, source, client, clock)
        steps.run("Handing in the source", author.hand_in, lambda _: f"Handed in {source.file_name}")
        said = steps.run("Signing the claims", lambda: _say(author, topics), lambda said: f"Signed {len(said)} claims")
        # 4. Two verifiers with nothing in common but the source take up the requests.
        _verify(cast, options, base_url, clock, steps)
        # 5. The result.
        podcast = options.folder / "podcast.md"
        recording = Recording(source.title, source.document_hash, options.media, base_url)
        kinds = _kinds_of_verified(client, cast.author)
        verified = steps.run(
            "Writing the podcast",
            lambda: _write_podcast(podcast, recording, topics, said, kinds.keys()),
            lambda verified: f"Wrote {podcast.name} from {len(verified)} verified claims",
        )
        answers = steps.run(
            "Asking",
            lambda: answers_about(ask(client, options.question), source.document_hash),
            lambda answers: f"Found {len(answers)} statement{'' if len(answers) == 1 else 's'} that answer",
        )
        traceability = steps.run("Tracing every claim", lambda: _trace(client, said, source), _traced)
    return DemoResult(
        options.question,
        answers,
        traceability,
        len(verified),
        sum(kinds[one.statement_id] == ClaimKind.REPORTS for one in verified),
        source,
        transcript,
        podcast,
    )


def _read(source: DemoSource, options: DemoOptions, steps: Steps) -> tuple[Transcript, tuple[TopicClaims, ...]]:
    try:
        transcript = Transcript.read(source.data)
    except CaptionError as error:
        raise DemoError(f"{source.file_name}: {error}") from error
    topics = generate_claims(transcript.sentences, options.model, steps.say, steps.check)
    if not topics:
        raise DemoError(f"{source.file_name} holds no sentence worth a claim")
    return transcript, topics


def _say(author: Author, topics: Sequence[TopicClaims]) -> tuple[Said, ...]:
    said = author.say([claim for topic in topics for claim in topic.claims])
    author.request_verification(said)
    return said


def _verify(cast: Cast, options: DemoOptions, base_url: str, clock: Callable[[], datetime], steps: Steps) -> None:
    def judge(by_words: Judge) -> Judge:
        return by_words if options.model is None else ModelJudge(options.model, by_words, steps.say)

    def work(agent: Agent, judge: Judge) -> None:
        with Client(base_url) as client:
            _answer_requests(Verifier(agent, judge, client, clock), agent, cast.author, client, steps, threads)

    threads = 1 if options.model is None else _MODEL_CALLS_AT_ONCE
    agents = (cast.aligner, cast.searcher)
    with ThreadPoolExecutor(len(agents)) as pool:
        list(pool.map(work, agents, (judge(AlignmentJudge()), judge(SearchJudge()))))


def _answer_requests(
    verifier: Verifier, agent: Agent, author: Agent, client: Client, steps: Steps, threads: int
) -> None:
    name = agent.description.name
    task = steps.begin(f"{name} takes up requests")
    requests = verifier.open_requests(author.id)
    verdicts = []
    with ThreadPoolExecutor(threads) as pool:
        try:
            for verdict in pool.map(verifier.respond, requests):
                steps.check()
                verdicts.append(verdict)
                steps.tell(task, f"{name} verifies {len(verdicts)} of {len(requests)}")
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    list(receipts(client.submit_many(verdicts)))
    counts = Counter(verdict["verdict"].lower().replace("_", " ") for verdict in verdicts)
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common()) or "nothing left to verify"
    steps.tell(task, f"{name}: {told}", finished=True)


def _kinds_of_verified(client: Client, author: Agent) -> dict[str, str | None]:
    """Return the kind of the claim of each verified statement, by its id."""
    verified: dict[str, str | None] = {}
    after: str | None = None
    while True:
        page = client.graphql(_VERIFIED, {"author": author.id, "first": _PAGE, "after": after})["statements"]
        verified |= {row["id"]: row["claimKind"] for row in page["nodes"]}
        if not page["pageInfo"]["hasNextPage"]:
            return verified
        after = page["pageInfo"]["endCursor"]


def _write_podcast(
    path: Path, recording: Recording, topics: Sequence[TopicClaims], said: Sequence[Said], verified: Collection[str]
) -> tuple[Said, ...]:
    """Write the podcast and return the statements that are in it."""
    spoken = {one.claim.text: Spoken(one.statement_id, one.statement_id in verified) for one in said}
    path.write_text(write_podcast(recording, topics, spoken), encoding="utf-8")
    return tuple(one for one in said if one.statement_id in verified)


def _trace(client: Client, said: Sequence[Said], source: DemoSource) -> Traceability:
    with ThreadPoolExecutor(_REQUESTS_AT_ONCE) as pool:
        return trace(pool.map(client.statement, [one.statement_id for one in said]), source.data)


def _topics(topics: Sequence[TopicClaims]) -> str:
    claims = sum(len(topic.claims) for topic in topics)
    return f"{len(topics)} topic{'' if len(topics) == 1 else 's'}, {claims} claim{'' if claims == 1 else 's'}"


def _traced(traceability: Traceability) -> str:
    return f"Traced {traceability.bytes_match} of {traceability.claims} claims to exact bytes of the file"
