"""Content from outside the workspace (§5.3), and texts that are written to steer their reader (§17.1)."""

from collections.abc import Iterator
from typing import Any

from a2ap.packet.document import text_of
from a2ap.packet.finding import Finding, Severity
from a2ap.packet.imperative import is_imperative, is_steering
from a2ap.packet.looks import word_set
from a2ap.packet.member_check import Subject
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import EXTERNAL_TRUST, Kind

# The begin of a source that is outside by its nature (§5.3: web pages, email, uploads, APIs, scraped pages).
_OUTSIDE = word_set(
    "web http https ftp url uri www email mail mailto imap smtp upload uploaded attachment ugc user_content comment"
    " form api webhook rss feed scrape scraped crawl crawler third-party third_party external social tweet"
)
_INSTRUCTING = frozenset({Kind.INSTRUCTION, Kind.PROCEDURE, Kind.CONSTRAINT})
_QUOTED = frozenset({"quoted_data", "uri", "media_type", "interpretation"})
_READ_BY_MODELS = {
    "open_loops": ("question", "blocked_by", "next_action"),
    "exclusions": ("escalation_path",),
}


def is_external(item: Subject) -> bool:
    """Say whether the trust of an item is one of those that content from outside carries."""
    trust = item.inner("provenance").members.get("trust")
    return isinstance(trust, str) and trust in EXTERNAL_TRUST


def check_external(packet: Subject, items: list[Subject]) -> Iterator[Finding]:
    """Find content from outside that is not marked or not wrapped, and texts that would steer a model."""
    for item in items:
        yield from _check_origin(item)
        if is_external(item):
            yield from _check_wrapping(item)
        for name in ("use_guidance", "reopen_conditions"):
            yield from _check_steering(item, name)
        yield from _check_steering(item.inner("content"), "interpretation")
    yield from _check_steering(packet, "purpose")
    for name, members in _READ_BY_MODELS.items():
        for _, subject in packet.list_of(name, name.replace("_", " ").rstrip("s"), "loop_id"):
            for member in members:
                yield from _check_steering(subject, member)


def _check_origin(item: Subject) -> Iterator[Finding]:
    provenance = item.inner("provenance").members
    trust, source, author = provenance.get("trust"), text_of(provenance, "source"), text_of(provenance, "author")
    if is_external(item) or not isinstance(trust, str):
        return
    kind = source.split(":", 1)[0].strip().lower() if source is not None and ":" in source else ""
    if source is not None and (kind in _OUTSIDE or source.lower().startswith("www.")):
        yield item.say("5.3-trust", f" comes from {shown(source)}, outside, and has trust {shown(trust)}", "provenance")
    elif author is not None and author.startswith("unknown:"):
        yield item.say("5.3-trust", f" is of unknown authorship, and has trust {shown(trust)}", "provenance")


def _check_wrapping(item: Subject) -> Iterator[Finding]:
    kind, content = item.members.get("kind"), item.members.get("content")
    instructs = isinstance(kind, str) and kind in _INSTRUCTING
    loose = list(_unquoted(content))
    if any(map(is_imperative, loose)):
        yield item.say("5.3-wrap", " is external and imperative, and is not wrapped as data", "content")
    elif loose and instructs:
        yield item.say("5.3-wrap", f" is external, and stands as {kind} without being wrapped as data", "content")
    elif loose:
        words = " is external and not wrapped: no imperative was recognised, which proves nothing"
        yield item.say("5.3-wrap", words, "content", Severity.WARNING)
    if instructs:
        yield item.say("5.3-role", f" is external, and its kind is {kind}", "kind")


def _unquoted(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        pending = [value for name, value in content.items() if name not in _QUOTED]
        while pending:
            value = pending.pop()
            if isinstance(value, str):
                yield value
            elif isinstance(value, dict | list):
                pending.extend(value.values() if isinstance(value, dict) else value)


def _check_steering(subject: Subject, name: str) -> Iterator[Finding]:
    text = text_of(subject.members, name)
    if text is not None and is_steering(text):
        yield subject.say("17.1", f": {subject.prefix}{name} speaks of a reader's instructions", name)
