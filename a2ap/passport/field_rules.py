"""Every rule of §03 for the members of a record, each its own finding at the path of the member.

Marked "Required" in the field reference: id, branch_key, created_by.agent_id and agent_name, event.type and timestamp.
`schema_version` is "a first-class field" (§02-04), and without the hashes of `integrity` nothing can be checked, so
that these are required as well. The text leaves open whether the others are; a further member that upstream's schema
of 2.0 requires is a warning.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.passport.event_type import EFFECTS, WITHOUT_RECIPIENT, is_event_name, is_namespaced
from a2ap.passport.finding import Finding, FindingCode, Severity
from a2ap.passport.passport import Passport

SCHEMA_URLS = {1: "https://contextpassport.com/schema/v1.json", 2: "https://contextpassport.com/schema/v2.json"}
ROLES = ("researcher", "writer", "reviewer", "critic", "planner", "executor", "validator")
PROVIDERS = ("anthropic", "openai", "google", "mistral", "local", "custom")
STATUSES = ("valid", "broken", "unverified")

_VERSION = re.compile(r"([12])\.(0|[1-9][0-9]{0,3})")
_ID = re.compile(r"ctx_[0-9]+_[0-9a-f]+")
_ID_AS_PRINTED = re.compile(r"ctx_[0-9]+_[0-9a-f]{12}")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_BARE = re.compile(r"[0-9a-f]{64}")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?"
)

# The finding about a value that is of the right type: code, severity, words.
_Said = tuple[FindingCode, Severity, str]
_Look = Callable[[Any, Passport], Iterator[_Said]]


def major_version(passport: Passport) -> int | None:
    """Return the major version of the specification that a record follows; `None` if it is unknown."""
    match = _VERSION.fullmatch(passport.version or "")
    return int(match[1]) if match else None


def check_fields(passport: Passport) -> Iterator[Finding]:
    """Find all members of a record that break §03, in the order of the specification."""
    for rule in _RULES:
        for code, severity, words in _check(rule, passport):
            yield Finding(code, severity, words, passport.label, rule.path)
    yield from _check_names(passport)
    for name in passport.doubled:
        words = "stands twice in one object; readers take the last, and no hash covers the others"
        yield Finding(FindingCode.MEMBER_TWICE, Severity.ERROR, words, passport.label, name)


@dataclass(frozen=True, slots=True)
class _Rule:
    path: str
    kinds: tuple[type, ...]
    missing: Severity | None = None
    look: _Look | None = None
    wrong: Severity = Severity.ERROR


def _check(rule: _Rule, passport: Passport) -> Iterator[_Said]:
    holder, _, name = rule.path.rpartition(".")
    members = passport.part(holder) if holder else passport.members
    if name not in members:
        # Of an object that is missing, only that is said.
        if rule.missing is not None and (not holder or isinstance(passport.members.get(holder), dict)):
            yield FindingCode.FIELD_MISSING, rule.missing, "is missing"
        return
    value = members[name]
    if type(value) not in rule.kinds:
        yield FindingCode.FIELD_TYPE, rule.wrong, f"is {_kind(value)}, not {_kinds(rule.kinds)}"
    elif rule.look is not None and value is not None:
        yield from rule.look(value, passport)


def _look_version(value: str, passport: Passport) -> Iterator[_Said]:
    if _VERSION.fullmatch(value) is None:
        yield FindingCode.VERSION_UNKNOWN, Severity.ERROR, f"is {value[:32]!r}; 1.x and 2.x are known"


def _look_schema(value: str, passport: Passport) -> Iterator[_Said]:
    expected = SCHEMA_URLS.get(major_version(passport) or 0, value)
    if value != expected:
        yield FindingCode.FIELD_FORM, Severity.WARNING, f"is {value[:128]!r}, not {expected}"


def _look_id(value: str, passport: Passport) -> Iterator[_Said]:
    if _ID.fullmatch(value) is None:
        yield FindingCode.FIELD_FORM, Severity.ERROR, f"is {value[:80]!r}, not ctx_ and milliseconds and hex digits"
    elif _ID_AS_PRINTED.fullmatch(value) is None:
        yield FindingCode.FIELD_FORM, Severity.WARNING, "does not end in 6 hex bytes (12 digits)"


def _look_reference(value: str, passport: Passport) -> Iterator[_Said]:
    if _ID.fullmatch(value) is None:
        yield FindingCode.FIELD_FORM, Severity.WARNING, f"is {value[:80]!r}, which is no id of a record"


def _look_trace(value: str, passport: Passport) -> Iterator[_Said]:
    if not value.startswith("trc_"):
        yield FindingCode.FIELD_FORM, Severity.NOTE, f"is {value[:80]!r}, not trc_ and more"


def _look_filled(value: str, passport: Passport) -> Iterator[_Said]:
    if not value:
        yield FindingCode.FIELD_FORM, Severity.ERROR, "is empty"


def _look_listed(listed: tuple[str, ...]) -> _Look:
    def look(value: str, passport: Passport) -> Iterator[_Said]:
        if value not in listed:
            yield FindingCode.FIELD_UNLISTED, Severity.NOTE, f"is {value[:80]!r}, which the specification does not list"

    return look


def _look_event(value: str, passport: Passport) -> Iterator[_Said]:
    if not is_event_name(value):
        yield FindingCode.FIELD_FORM, Severity.ERROR, f"is {value[:80]!r}, which is no type of an event"
    elif value not in EFFECTS and is_namespaced(value):
        yield (
            FindingCode.EVENT_CUSTOM,
            Severity.NOTE,
            f"is {value[:80]}, of another namespace: kept, and without effect",
        )
    elif value not in EFFECTS:
        yield FindingCode.EVENT_UNKNOWN, Severity.WARNING, f"is {value[:80]}, neither one of the 15 nor namespaced"


def _look_recipient(value: str, passport: Passport) -> Iterator[_Said]:
    if passport.event_type in WITHOUT_RECIPIENT:
        words = f"names a recipient, which a {passport.event_type} has not"
        yield FindingCode.FIELD_FORBIDDEN, Severity.WARNING, words


def _look_time(value: str, passport: Passport) -> Iterator[_Said]:
    match = _TIME.fullmatch(value)
    if match is None or read_timestamp(value) is None:
        yield FindingCode.FIELD_FORM, Severity.ERROR, f"is {value[:64]!r}, not a time of ISO 8601"
    elif match[1] is None:
        yield FindingCode.FIELD_FORM, Severity.WARNING, f"is {value}, a time without a zone"


def _look_hash(value: str, passport: Passport) -> Iterator[_Said]:
    if _BARE.fullmatch(value):
        yield FindingCode.HASH_BARE, Severity.WARNING, "has no sha256: before its digits"
    elif _HASH.fullmatch(value) is None:
        yield FindingCode.FIELD_FORM, Severity.ERROR, f"is {value[:80]!r}, not sha256: and 64 digits in lower case"


def _look_parent_hash(value: str, passport: Passport) -> Iterator[_Said]:
    if value == "root":
        # The formula says "root" where the table says null; upstream hashes the one and stores the other.
        yield FindingCode.FIELD_FORM, Severity.WARNING, "is root, which is hashed and not written; a root has null"
    else:
        yield from _look_hash(value, passport)


def _look_status(value: str, passport: Passport) -> Iterator[_Said]:
    if value not in STATUSES:
        yield FindingCode.FIELD_FORM, Severity.WARNING, f"is {value[:80]!r}, not valid, broken or unverified"


def read_timestamp(value: Any) -> datetime | None:
    """Return a time of ISO 8601, with a zone only if it states one; `None` for anything else."""
    if not isinstance(value, str) or _TIME.fullmatch(value) is None:
        return None
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


_NULL = type(None)
_REQUIRED = Severity.ERROR
_EXPECTED = Severity.WARNING
_RULES = (
    _Rule("$schema", (str,), None, _look_schema, Severity.WARNING),
    _Rule("schema_version", (str,), _REQUIRED, _look_version),
    _Rule("id", (str,), _REQUIRED, _look_id),
    _Rule("parent_id", (str, _NULL), _EXPECTED, _look_reference),
    _Rule("trace_id", (str, _NULL), None, _look_trace),
    _Rule("branch_key", (str,), _REQUIRED, _look_filled),
    _Rule("created_by", (dict,), _REQUIRED),
    _Rule("created_by.agent_id", (str,), _REQUIRED, _look_filled),
    _Rule("created_by.agent_name", (str,), _REQUIRED, _look_filled),
    _Rule("created_by.role", (str, _NULL), None, _look_listed(ROLES), Severity.WARNING),
    _Rule("created_by.provider", (str, _NULL), None, _look_listed(PROVIDERS), Severity.WARNING),
    _Rule("created_by.model", (str, _NULL), None, None, Severity.WARNING),
    _Rule("event", (dict,), _REQUIRED),
    _Rule("event.type", (str,), _REQUIRED, _look_event),
    _Rule("event.to_agent_id", (str, _NULL), None, _look_recipient),
    _Rule("event.timestamp", (str,), _REQUIRED, _look_time),
    _Rule("payload", (dict,)),
    _Rule("payload.input", (str, dict, _NULL), wrong=Severity.WARNING),
    _Rule("payload.output", (str, dict, _NULL), wrong=Severity.WARNING),
    _Rule("payload.memory", (dict, _NULL)),
    _Rule("payload.variables", (dict, _NULL)),
    _Rule("integrity", (dict,), _REQUIRED),
    _Rule("integrity.payload_hash", (str,), _REQUIRED, _look_hash),
    _Rule("integrity.parent_hash", (str, _NULL), _EXPECTED, _look_parent_hash),
    _Rule("integrity.integrity_hash", (str,), _REQUIRED, _look_hash),
    _Rule("integrity.verification_status", (str,), _EXPECTED, _look_status, Severity.WARNING),
    _Rule("lineage", (dict, _NULL)),
    _Rule("lineage.fork_of", (str, _NULL), None, _look_reference),
    _Rule("lineage.fork_point", (str, _NULL), None, _look_reference),
    _Rule("lineage.lineage_root", (str, _NULL), None, _look_reference),
    _Rule("created_at", (str,), _EXPECTED, _look_time),
    _Rule("signature", (dict,)),
    _Rule("signature.algorithm", (str,), _REQUIRED),
    _Rule("signature.key_id", (str,), _REQUIRED),
    _Rule("signature.public_key", (str, _NULL)),
    _Rule("signature.signature", (str,), _REQUIRED),
)
_KNOWN = frozenset(rule.path for rule in _RULES) | {"integrity.verified_at"}
_CLOSED = ("", "created_by", "event", "integrity", "lineage", "signature")


def _check_names(passport: Passport) -> Iterator[Finding]:
    for holder in _CLOSED:
        for name in passport.part(holder) if holder else passport.members:
            path = f"{holder}.{name}" if holder else name
            if path in _KNOWN and "." not in name:
                continue
            if is_namespaced(name):
                words = "is an extension: kept, and ignored"
                yield Finding(FindingCode.MEMBER_EXTENSION, Severity.NOTE, words, passport.label, path)
            else:
                words = "is no member of a record, and in nobody's namespace"
                yield Finding(FindingCode.MEMBER_UNKNOWN, Severity.WARNING, words, passport.label, path)


def _kind(value: Any) -> str:
    kinds: dict[type, str] = {
        str: "a text",
        dict: "an object",
        list: "an array",
        bool: "a truth value",
        int: "a number",
        float: "a number",
    }
    return "null" if value is None else kinds[type(value)]


def _kinds(kinds: tuple[type, ...]) -> str:
    words = {str: "a text", dict: "an object", _NULL: "null"}
    return " or ".join(words[kind] for kind in kinds)
