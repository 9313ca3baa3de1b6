"""Policy files: the trusted logs and witnesses, and the number of required cosignatures (C2SP tlog-policy).

    log example.org/log+1a2b3c4d+AQ…
    witness W1 w1.example+5e6f7a8b+BA… https://w1.example/
    witness W2 w2.example+9c0d1e2f+BA…
    group both all W1 W2
    quorum both

A quorum is one witness, a group of witnesses (k of n), or `none`. Groups in groups are refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.errors import KeyFormatError, LogFormatError
from a2ap.log.signed_note import COSIGNATURE, ED25519, VerifierKey
from a2ap.log.witness_policy import WitnessPolicy

_MAX_LINES = 1000
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_NUMBER = re.compile("[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class KnownWitness:
    """A witness of a policy file: its key, and the URL for requests of cosignatures, if the file has it."""

    key: VerifierKey
    url: str | None


@dataclass(frozen=True, slots=True)
class PolicyFile:
    """The logs and witnesses of a policy file, in its order, and the quorum."""

    logs: tuple[VerifierKey, ...]
    witnesses: tuple[KnownWitness, ...]
    policy: WitnessPolicy


def read_policy_file(text: str) -> PolicyFile:
    """Read a policy file; raises `LogFormatError`, naming the line."""
    reader = _Reader()
    lines = text.split("\n")
    if len(lines) > _MAX_LINES:
        raise LogFormatError(f"the policy file has {len(lines)} lines, more than {_MAX_LINES}")
    for number, line in enumerate(lines, start=1):
        if _CONTROL.search(line):
            raise LogFormatError(f"line {number} of the policy file has a control character")
        words = [word for word in re.split("[ \t]+", line) if word]
        if not words or words[0].startswith("#"):
            continue
        try:
            reader.add(words)
        except (LogFormatError, KeyFormatError) as error:
            raise LogFormatError(f"line {number} of the policy file: {error}") from error
    return reader.finish()


class _Reader:
    def __init__(self) -> None:
        self.logs: list[VerifierKey] = []
        self.witnesses: dict[str, KnownWitness] = {}
        self.groups: dict[str, tuple[int, tuple[str, ...]]] = {}
        self.quorum: tuple[int, tuple[str, ...]] | None = None

    def add(self, words: Sequence[str]) -> None:
        match words:
            case ["log", key, *url] if len(url) <= 1:
                self.logs.append(_key(key, ED25519, self.logs))
            case ["witness", name, key, *url] if len(url) <= 1:
                self._check_new(name)
                known = [witness.key for witness in self.witnesses.values()]
                self.witnesses[name] = KnownWitness(_key(key, COSIGNATURE, known), url[0] if url else None)
            case ["group", name, threshold, *members] if members:
                self._check_new(name)
                self.groups[name] = _threshold(threshold, len(members)), self._members(members)
            case ["quorum", name]:
                if self.quorum is not None:
                    raise LogFormatError("a second quorum")
                self.quorum = self._quorum(name)
            case _:
                raise LogFormatError(f"is no line of a policy: {' '.join(words)[:100]!r}")

    def finish(self) -> PolicyFile:
        if self.quorum is None:
            raise LogFormatError("the policy file has no quorum")
        count, names = self.quorum
        policy = WitnessPolicy(count, tuple(self.witnesses[name].key for name in names))
        return PolicyFile(tuple(self.logs), tuple(self.witnesses.values()), policy)

    def _check_new(self, name: str) -> None:
        if name == "none" or name in self.witnesses or name in self.groups:
            raise LogFormatError(f"the name {name!r} is taken")

    def _members(self, members: Sequence[str]) -> tuple[str, ...]:
        for name in members:
            if name in self.groups:
                raise LogFormatError(f"{name!r} is a group, and groups in groups are not read here")
            if name not in self.witnesses:
                raise LogFormatError(f"{name!r} is no witness of a line before")
        used = {name for _, names in self.groups.values() for name in names}
        if len(set(members)) != len(members) or used & set(members):
            raise LogFormatError("a witness is a member twice")
        return tuple(members)

    def _quorum(self, name: str) -> tuple[int, tuple[str, ...]]:
        if name == "none":
            return 0, ()
        if name in self.witnesses:
            return 1, (name,)
        if name not in self.groups:
            raise LogFormatError(f"{name!r} is no witness or group of a line before")
        return self.groups[name]


def _key(text: str, algorithm: int, known: Sequence[VerifierKey]) -> VerifierKey:
    key = VerifierKey.parse(text)
    if key.algorithm != algorithm:
        raise LogFormatError(f"the key {key.name} is of type {key.algorithm}, not {algorithm}")
    if any(other.public_key == key.public_key for other in known):
        raise LogFormatError(f"the key of {key.name} is there twice")
    return key


def _threshold(text: str, members: int) -> int:
    count = {"any": 1, "all": members}.get(text) or (int(text) if _NUMBER.fullmatch(text) else 0)
    if not 1 <= count <= members:
        raise LogFormatError(f"{text[:20]!r} of {members} witnesses")
    return count
