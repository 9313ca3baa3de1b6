"""Rows of Context Passports: the members that a record states, and those that hashes and its signature prove.

Parent, children and agent are joined by proof. `parent_id` is an unproven claim of the record's writer, so a parent is
found by its hash, and only from a record whose own integrity hash holds; `named` on the relationship says whether the
ids agree. An agent is joined if the record's Ed25519 signature holds under a key that is registered for the agent named
in the record.
"""

from a2ap.errors import KeyFormatError
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.key_registration import KeyRegistration
from a2ap.passport.check_chain import RecordReport, check_chain
from a2ap.passport.errors import PassportTextError
from a2ap.passport.field_rules import read_timestamp
from a2ap.passport.hashing import match_chaining
from a2ap.passport.passport import Chain, Passport, read_chain
from a2ap.passport.signature import Signing
from a2ap.signing.keys import PublicKey
from a2ap.times import format_instant
from graph.log.row_lists import Row
from graph.records.record_reader import RecordReader
from graph.records.short_text import short_text

MAX_MERGED = 64
"""Maximum further parents of a merge in the graph."""

MAX_TWINS = 8
"""Maximum records of one hash from which another is derived, as in the queries that write passports."""

MAX_BYTES = 1_048_576
"""Maximum bytes of a record, as of every other document."""


def read_passport(content: bytes) -> Passport:
    """Return the one record in these bytes. Raises `PassportTextError`."""
    if len(content) > MAX_BYTES:
        raise PassportTextError(f"the record has {len(content):,} bytes; {MAX_BYTES:,} are taken")
    chain = read_chain(content)
    if len(chain.passports) != 1 or chain.passports[0].data != content:
        raise PassportTextError(f"the bytes hold {len(chain.passports)} records, not one and nothing else")
    return chain.passports[0]


def passport_rows(content: bytes, record_hash: str) -> list[tuple[str, Row]]:
    """Return the rows of one record."""
    passport = read_passport(content)
    report = check_chain(Chain(content, (passport,))).records[0]
    row = _content_row(passport, report, record_hash)
    rows: list[tuple[str, Row]] = [("write_passport_contents", row)]
    parents = [(row["parent_hash"], passport.parent_id, False)] if row["parent_hash"] else []
    parents += [(digits, None, True) for digits in row["merged_parents"]]
    for parent_hash, parent_id, merged in parents:
        link = {"record_hash": record_hash, "parent_hash": parent_hash, "parent_id": short_text(parent_id)}
        rows.append(("write_passport_parents", {**link, "merged": merged}))
    if row["integrity_hash"]:
        known = {"record_hash": record_hash, "integrity_hash": row["integrity_hash"]}
        rows += [("write_passport_children", known), ("write_passport_merges", known)]
    if row["signed_by"] and row["agent_id"]:
        rows.append(
            (
                "write_passport_agents",
                {"record_hash": record_hash, "agent_id": row["agent_id"], "public_key": row["signed_by"]},
            )
        )
    return rows


def key_row(message: AgentRegistration | KeyRegistration) -> Row:
    """Return the row that joins records signed with a key before its registration to the key's agent."""
    return {
        "agent_id": message.envelope.agent_id,
        "key_id": message.key_id,
        "public_key": message.public_key.did_key,
    }


def _check(content: bytes) -> None:
    members = read_passport(content).members
    if not isinstance(members.get("integrity"), dict) or "schema_version" not in members:
        raise PassportTextError("a Context Passport has a schema_version and an object integrity")


PASSPORTS = RecordReader(
    label="Passport", check=_check, write="write_passports", rows_of=passport_rows, blank="blank_passports"
)


def _content_row(passport: Passport, report: RecordReport, record_hash: str) -> Row:
    author, event, lineage = passport.part("created_by"), passport.part("event"), passport.part("lineage")
    bound, parent_hash = bound_parent(report)
    named = [digits for digits in passport.merged_hashes if digits != parent_hash][:MAX_MERGED]
    merged = named if bound and report.match is not None else []
    at = read_timestamp(event.get("timestamp"))
    return {
        "record_hash": record_hash,
        "byte_length": len(passport.data),
        "passport_id": short_text(passport.id),
        "schema_version": short_text(passport.version),
        "parent_id": short_text(passport.parent_id),
        "trace_id": short_text(passport.members.get("trace_id")),
        "branch_key": short_text(passport.branch),
        "agent_id": short_text(passport.agent_id),
        **{name: short_text(author.get(name)) for name in ("agent_name", "role", "provider", "model")},
        "event_type": short_text(passport.event_type),
        "to_agent_id": short_text(event.get("to_agent_id")),
        "event_time": None if at is None or at.tzinfo is None else format_instant(at),
        "target": short_text(passport.target),
        **{name: short_text(lineage.get(name)) for name in ("fork_of", "fork_point", "lineage_root")},
        "payload_hash": passport.payload_hash,
        "parent_hash": parent_hash,
        "integrity_hash": passport.integrity_hash if bound else None,
        "merged_parents": merged,
        "merges": bool(merged),
        "profile": None if report.match is None else report.match.profile.value,
        "chaining": None if report.chaining is None else report.chaining.value,
        "signing": report.signing.value,
        "signed_by": signer_of(passport, report),
    }


def bound_parent(report: RecordReport) -> tuple[bool, str | None]:
    """Return whether the integrity hash of a record holds, and the parent's hash that it binds, None for a root.

    `parent_id` is ignored: it can be added or removed without a trace. If the payload is present, its hash holds too.
    """
    passport = report.passport
    if passport.has_payload and report.match is None:
        return False, None
    for parent_hash in dict.fromkeys((passport.parent_hash, None)):
        if match_chaining(passport, (parent_hash,)) is not None:
            return True, parent_hash
    return False, None


def signer_of(passport: Passport, report: RecordReport) -> str | None:
    """Return the `did:key` under which the signature of a record holds, None if none does."""
    if report.signing not in (Signing.HOLDS, Signing.HOLDS_FOR_SOMEBODY):
        return None
    # The order of `a2ap.passport.signature.check_signature`: an agent that is named by its own key comes first.
    for reference in (passport.agent_id, passport.part("signature").get("public_key")):
        try:
            if isinstance(reference, str) and (reference != passport.agent_id or reference.startswith("did:key:")):
                return PublicKey.parse(reference).did_key
        except KeyFormatError:
            continue
    return None
