"""The check of members one by one: each is there, and has the form of the text; every fault under its own rule."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.packet.finding import Finding, Severity
from a2ap.packet.looks import Look
from a2ap.packet.rules import RULES
from a2ap.packet.shown import name_shown, shown


@dataclass(frozen=True, slots=True)
class MemberRule:
    """The form of a member; `missing` is the rule that its absence breaks, `wrong` the rule for another form."""

    name: str
    look: Look
    missing: str | None = None
    wrong: str = "4"


@dataclass(frozen=True, slots=True)
class Subject:
    """An object to check: its label in a sentence, its path in the document, and its members."""

    label: str
    path: str
    members: Mapping[str, Any]
    prefix: str = ""

    def place(self, name: str) -> str:
        """Return the path of a member."""
        return f"{self.path}.{name_shown(name)}" if self.path else name_shown(name)

    def inner(self, name: str) -> "Subject":
        """Return a member that is to be an object as a subject, empty if it is none."""
        value = self.members.get(name)
        members = value if isinstance(value, dict) else {}
        return Subject(self.label, self.place(name), members, f"{self.prefix}{name}.")

    def list_of(self, name: str, noun: str, id_name: str) -> "list[tuple[int, Subject]]":
        """Return the objects in a list, each labelled with its noun and its id, or its number if it has no id."""
        value = self.members.get(name)
        found = []
        for index, one in enumerate(value if isinstance(value, list) else ()):
            if isinstance(one, dict):
                own = one.get(id_name)
                label = shown(own) if isinstance(own, str) and own.strip() else str(index + 1)
                found.append((index, Subject(f"{noun} {label}", f"{self.place(name)}[{index}]", one)))
        return found

    def say(self, number: str, words: str, name: str = "", severity: Severity | None = None) -> Finding:
        """Return a finding under a rule, with a sentence that begins with the subject's label."""
        rule = RULES[number]
        path = self.place(name) if name else self.path
        return Finding(rule, severity or rule.severity, path, f"{self.label}{words}")


def check_members(subject: Subject, rules: Sequence[MemberRule]) -> Iterator[Finding]:
    """Find the members that are missing or have another form; null counts as missing."""
    for rule in rules:
        value = subject.members.get(rule.name)
        name = subject.prefix + rule.name
        if value is None:
            if rule.missing is not None:
                yield subject.say(rule.missing, f" has no {name}", rule.name)
        elif wanted := rule.look(value):
            yield subject.say(rule.wrong, f": {name} is {shown(value)}, not {wanted}", rule.name, Severity.ERROR)


def check_objects(subject: Subject, name: str, number: str = "4") -> Iterator[Finding]:
    """Find values that are not objects in a list of objects."""
    value = subject.members.get(name)
    for index, one in enumerate(value if isinstance(value, list) else ()):
        if not isinstance(one, dict):
            rule = RULES[number]
            words = f"{subject.label}: {name}[{index}] is {shown(one)}, not an object"
            yield Finding(rule, Severity.ERROR, f"{subject.place(name)}[{index}]", words)
