"""The return contract (§11): the permitted returns, and no members on writing beside the pair.

Write permission is `may_propose_memory_updates` with `promotion_required`. Any other member that grants or describes
writing could contradict the pair, in the contract or anywhere else, under any name: names are read word by word.
"""

from collections.abc import Iterator
from typing import Any

from a2ap.packet.document import texts_of
from a2ap.packet.extensions import extension_members, local_name, words_of
from a2ap.packet.finding import Finding
from a2ap.packet.looks import a_boolean, a_text, texts, word_set
from a2ap.packet.member_check import MemberRule, Subject, check_members
from a2ap.packet.shown import shown

PROPOSALS = "memory_update_proposals"

_WRITING = word_set("write writes writing writable writeable overwrite autowrite readwrite")
# In a contract, these speak of nothing else.
_WRITING_HERE = _WRITING | word_set("mode writer commit persist autopromote autoapply")
_BY_ITSELF = word_set("auto automatic automatically direct directly immediate immediately silent silently")
_TAKING = word_set("accept apply applied merge promote promoted promotion save store update updates")
_GRANTING = word_set(
    "access allow allowed allows auth authority authorization auto automatic can direct enabled grant granted level may"
    " mode permission permissions permit permitted policy right rights silent type without"
)


def check_contract(packet: Subject) -> Iterator[Finding]:
    """Find faults of the return contract, and members elsewhere that speak of writing."""
    contract = packet.members.get("return_contract")
    if contract is None:
        yield packet.say(
            "11-contract", " has no return contract, so that it names no permitted return", "return_contract"
        )
    if isinstance(contract, dict):
        subject = packet.inner("return_contract")
        yield from check_members(subject, _MEMBERS)
        yield from _check_consistency(subject)
        for name in contract:
            words = set(words_of(name))
            if name not in KNOWN and (_WRITING_HERE & words or (_BY_ITSELF & words and _TAKING & words)):
                yield subject.say("11-pair", f": return_contract has {shown(name)}, which speaks of writing", name)
    yield from _check_elsewhere(packet)


_MEMBERS = (
    MemberRule("may_propose_memory_updates", a_boolean, "11-contract", "11"),
    MemberRule("promotion_required", a_boolean, "11-contract", "11"),
    MemberRule("promotion_target", a_text, None, "11"),
    MemberRule("requires_human_review", a_boolean, None, "11"),
    MemberRule("trace_required", a_boolean, None, "11"),
    MemberRule("expected_outputs", texts, None, "11"),
    MemberRule("forbidden_outputs", texts, None, "11"),
)
KNOWN = frozenset(rule.name for rule in _MEMBERS)


def _check_consistency(contract: Subject) -> Iterator[Finding]:
    members = contract.members
    may, promotion = members.get("may_propose_memory_updates"), members.get("promotion_required")
    expected, forbidden = texts_of(members, "expected_outputs"), frozenset(texts_of(members, "forbidden_outputs"))
    if may is True and promotion is False:
        words = " lets memory updates be proposed that need no promotion"
        yield contract.say("11-promotion", words, "promotion_required")
    for name in dict.fromkeys(expected):
        if name in forbidden:
            yield contract.say("11-consistent", f" expects and forbids {shown(name)}", "expected_outputs")
    if may is False and PROPOSALS in expected:
        words = f" expects {PROPOSALS}, and lets no updates be proposed"
        yield contract.say("11-consistent", words, "expected_outputs")


def _check_elsewhere(packet: Subject) -> Iterator[Finding]:
    for subject, members in _holders(packet):
        for name, _ in members:
            words = set(words_of(local_name(name)))
            if _WRITING & words and (_GRANTING & words or words <= _WRITING):
                yield subject.say("11-pair", f" has {shown(name)}, which speaks of writing", name)


def _holders(packet: Subject) -> Iterator[tuple[Subject, Any]]:
    """Yield the objects that may hold members of others, with these members: packet, scope, and each `ext`."""
    scope, contract = packet.inner("scope"), packet.inner("return_contract")
    yield packet, packet.members.items()
    yield scope, scope.members.items()
    for subject in (packet, scope, contract):
        yield subject.inner("ext"), extension_members(subject.members.get("ext"))
