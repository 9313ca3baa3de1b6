"""Files of Context Passports for `a2ap passport`: the maker of a record, its predecessor, and its addition."""

import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from a2ap.passport.building import Author, new_passport_id, sign_record, write_passport
from a2ap.passport.check_chain import ChainReport, check_chain
from a2ap.passport.finding import Status
from a2ap.passport.json_text import read_value
from a2ap.passport.passport import Chain, Passport, append_passport, read_chain
from a2ap.passport.profile import PayloadProfile, uncovered_paths
from a2ap.passport.signature import Signing
from a2ap.signing.keys import PublicKey
from graph.cli.errors import CommandError
from graph.cli.signing import AgentKey, now, open_key, parse_key
from graph.cli.terminal import remark, say


@dataclass(frozen=True, slots=True)
class Maker:
    """The maker of a record, and the key that signs it."""

    author: Author
    key: AgentKey | None

    def finish(self, members: dict[str, Any], profile: PayloadProfile) -> bytes:
        """Return the bytes of a record, signed if there is a key, once they verify as for any reader."""
        signed = members if self.key is None else sign_record(members, self.key.key, self.key.key_id)
        data = write_passport(signed)
        known = {self.key.key_id: self.key.key.public_key} if self.key is not None else {}
        report = check_chain(read_chain(data), known_keys=known).records[0]
        for path in uncovered_paths(profile, members["payload"]):
            remark(f"{path} is not covered by the hash: the profile {profile} leaves it out")
        if report.signing in (Signing.FAILS, Signing.UNCHECKED):
            raise CommandError("the record that was made does not verify")
        return data


@dataclass(frozen=True, slots=True)
class Held:
    """A chain, the record in it that another is to follow, and the status of the chain up to that record."""

    chain: Chain
    parent: Passport
    status: Status


def open_maker(
    agent: str | None,
    name: str | None,
    role: str | None,
    provider: str | None,
    model: str | None,
    key: Path | None,
    signer: str | None,
) -> Maker:
    """Return the maker of a record. Raises CommandError if no agent is named, or the key is another agent's."""
    agent_key = open_key(key, signer) if key is not None else None
    agent_id = agent or (agent_key.agent_id if agent_key is not None else None)
    if not agent_id:
        raise CommandError("neither --agent nor --key names the maker of the record")
    if agent_key is not None and agent_key.agent_id != agent_id:
        raise CommandError(f"the key is that of {agent_key.agent_id}, and --agent is {agent_id}")
    return Maker(Author(agent_id, name or agent_id, role, provider, model), agent_key)


def read_payload(file: Path | None, input_text: str | None, output_text: str | None) -> Any:
    """Return the payload that the options give. Raises CommandError, and PassportTextError for invalid JSON."""
    if file is None:
        if input_text is None and output_text is None:
            raise CommandError("--payload names a JSON file, or --input and --output give texts")
        return {"input": input_text, "output": output_text}
    if input_text is not None or output_text is not None:
        raise CommandError("--payload is instead of --input and --output")
    piece = read_value(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    if piece.doubled:
        raise CommandError(f"{file} has {piece.doubled[0][:80]} twice in one object")
    return piece.value


def read_file(file: Path) -> Chain:
    """Read the chain in a file. Raises PassportTextError."""
    return read_chain(file.read_bytes())


def open_chain(file: Path, parent: str | None) -> Held:
    """Read a chain that is to be continued. Raises CommandError if it is broken, or has several ends."""
    chain = read_file(file)
    report = check_chain(chain)
    found = find_passport(chain, parent) if parent is not None else _only_tip(chain, report)
    status = report.records[found.position].status
    if status is Status.BROKEN:
        raise CommandError(f"the chain up to {found.label} is broken: `a2ap passport verify {file}` says where")
    return Held(chain, found, status)


def _only_tip(chain: Chain, report: ChainReport) -> Passport:
    tips = [chain.passports[at] for at in report.ancestry.tips]
    if len(tips) != 1:
        ends = ", ".join(one.label for one in tips[:8]) or "nothing"
        raise CommandError(f"--parent says which record it follows: the chain ends in {ends}")
    return tips[0]


def find_passport(chain: Chain, passport_id: str) -> Passport:
    """Return the record with an id. Raises CommandError if there is none."""
    found = chain.find(passport_id)
    if found is None:
        raise CommandError(f"{passport_id} is not in the chain")
    return found


def read_keys(texts: Sequence[str] | None) -> dict[str, PublicKey]:
    """Read keys given as KEY-ID=PUBLIC-KEY. Raises CommandError and KeyFormatError."""
    keys = {}
    for text in texts or ():
        name, separator, key = text.partition("=")
        if not separator or not name:
            raise CommandError(f"--known-key is {text[:120]!r}, not KEY-ID=PUBLIC-KEY")
        keys[name] = parse_key(key)
    return keys


def read_seen(files: Sequence[Path]) -> dict[str, Passport]:
    """Read records that are known from elsewhere, by their ids."""
    found: dict[str, Passport] = {}
    for file in files:
        for one in read_file(file).passports:
            if one.id is not None:
                found.setdefault(one.id, one)
    return found


def write_chain(file: Path, chain: Chain, data: bytes) -> None:
    """Write a chain with one more record in place of the file. Raises CommandError if another command is writing it."""
    # The new file is the lock as well: of two commands that write at once, the second is told.
    new = file.with_name(file.name + ".new")
    try:
        with new.open("xb") as out:
            out.write(append_passport(chain, data))
            out.flush()
            os.fsync(out.fileno())
    except FileExistsError as error:
        raise CommandError(f"{new} is there: another command writes, or did not end") from error
    if file.read_bytes() != chain.data:
        new.unlink()
        raise CommandError(f"{file} was changed meanwhile; nothing was written")
    new.replace(file)


def fresh_passport_id() -> str:
    """Return a new random id."""
    return new_passport_id(now(), secrets.token_bytes(6))


def announce(members: dict[str, Any]) -> None:
    """Print the record that was made."""
    integrity_hash = members["integrity"]["integrity_hash"]
    say(f"{members['id']}  {members['event']['type']} on {members['branch_key']}  {integrity_hash}")
