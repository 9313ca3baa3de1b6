"""`a2ap packet` on files: Context Packets validated, hashed, signed, verified, and followed to their closure."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from a2ap.packet.authority import speaker_or_none
from a2ap.packet.canon import HashDomain, match_hash, packet_hash, verify_hash
from a2ap.packet.check_packet import check_packet
from a2ap.packet.check_return import check_return
from a2ap.packet.closure import check_closure, closure_by_letter
from a2ap.packet.counted import SignedPacket, SignedRecord
from a2ap.packet.finding import Severity
from a2ap.packet.forwarding import check_forwarding
from a2ap.packet.records import PacketReturn
from a2ap.packet.shown import shown
from a2ap.packet.vocabulary import HashAlgorithm, Level
from graph.cli import packet_assemble, packet_forward, packet_receive, packet_return
from graph.cli.errors import CommandError
from graph.cli.groups import command_group
from graph.cli.options import DEFAULT_URL, AsJson, Key, SignerCommand, Token, Url
from graph.cli.packet_file import (
    check_signature,
    load_packet,
    load_record,
    load_signed_thread,
    load_thread,
    option_time,
    sign_document,
    write_output,
)
from graph.cli.packet_keys import KeySources, KnownKeyTexts, Literal, open_keyring
from graph.cli.packet_text import print_closure, print_findings, print_report, print_rules
from graph.cli.signing import now, open_key
from graph.cli.terminal import print_json, remark, say

app = command_group("Assemble, receive and close Context Packets.")

File = Annotated[Path, typer.Argument(help="A packet; - reads standard input.", allow_dash=True, show_default=False)]
Document = Annotated[
    Path, typer.Argument(help="A packet, receipt, return or disposition; - reads standard input.", allow_dash=True)
]


@app.command("validate")
def validate(
    file: File,
    level: Annotated[
        Level, typer.Option("--level", help="The level that is claimed, and has to be reached.")
    ] = Level.CORE,
    receipt: Annotated[
        list[Path] | None, typer.Option("--receipt", help="A receipt that is kept beside the packet; repeatable.")
    ] = None,
    at: Annotated[str | None, typer.Option("--at", help="The time at which expiry is judged, instead of now.")] = None,
    by_letter: Literal = False,
    as_json: AsJson = False,
) -> None:
    """Report the faults of a packet, and the level it reaches.

    A packet with an invalid signature or hash reaches none, as `a2ap packet verify` says; by the letter of the text a
    hash is a matter of CP-Audited alone. Every rule of the text that is broken or left undone is printed under its
    number. Executes nothing, fetches nothing, decides nothing. Ends with 0 only if the packet reaches the level and
    claims no more than it reaches.
    """
    receipts = [load_record(path).members for path in receipt or ()]
    moment: datetime = option_time(at) if at is not None else now()
    report = check_packet(load_packet(file), now=moment, receipts=receipts, by_letter=by_letter)
    print_report(report, level, as_json)
    if not report.conforms(level):
        raise typer.Exit(1)


@app.command("rules")
def rules(as_json: AsJson = False) -> None:
    """List the rules of the text, and duties no packet shows.

    These are duties of readers, and of agents that make claims.
    """
    print_rules(as_json)


@app.command("hash")
def hash_packet(
    file: File,
    algorithm: Annotated[
        HashAlgorithm, typer.Option("--algorithm", help="How it is hashed.")
    ] = HashAlgorithm.BLAKE2B_256,
    check: Annotated[bool, typer.Option("--check", help="Compare with the hash in the packet.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print the hash of a packet under cpk-canon/1.

    With --check, ends with 0 only if the packet states its own hash, and prints under which reading of cpk-canon/1.
    """
    document = load_packet(file)
    match = verify_hash(document) if check else None
    if as_json:
        found = match_hash(document)
        print_json(
            {
                "hash": packet_hash(document.members, algorithm),
                "algorithm": algorithm,
                "domains": {domain: packet_hash(document.members, algorithm, domain) for domain in HashDomain},
                "stated": None if document.packet_hash is None else shown(document.packet_hash),
                "matches": None if found is None else {"domain": found.domain, "algorithm": found.algorithm},
            }
        )
    elif match is None:
        say(packet_hash(document.members, algorithm))
    else:
        say(f"{document.packet_hash}  {match.algorithm} over {match.domain}")
        if not match.is_ours:
            remark(f"that is another domain than ours, {HashDomain.MINUS_PACKET_HASH_AND_RECEIPTS}")


@app.command("sign")
def sign(
    file: Document,
    key: Key,
    output: Annotated[Path | None, typer.Option("--output", help="A new file, instead of standard output.")] = None,
    algorithm: Annotated[
        HashAlgorithm, typer.Option("--algorithm", help="How a packet is hashed after signing.")
    ] = HashAlgorithm.BLAKE2B_256,
    signer: SignerCommand = None,
) -> None:
    """Sign a packet, or a record about one.

    A packet is hashed anew afterwards, so that its hash covers the signature.
    """
    write_output(sign_document(file, open_key(key, signer), algorithm), output)


@app.command("verify")
def verify(file: Document, known_key: KnownKeyTexts = None, as_json: AsJson = False) -> None:
    """Verify the signature of a packet or record.

    The hash of a packet is verified as well. Ends with 0 only if the signature is by a key that you know, or that is
    the name of the agent itself.
    """
    found = check_signature(file, known_key or ())
    if as_json:
        print_json({"keyId": found.key_id, "key": found.key, "known": found.known, "hash": found.hash})
    else:
        vouched = "known" if found.known else "not known here: a changed document can be signed again"
        say(f"signed by {found.key_id} with {found.key}, {vouched}")
        if found.hash is not None:
            say(f"hashed as {found.hash}")
    if not found.known:
        raise typer.Exit(1)


@app.command("forwarding")
def forwarding(
    parent: Annotated[Path, typer.Argument(help="The packet that was received.", show_default=False)],
    child: Annotated[Path, typer.Argument(help="The packet that is passed on.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Report the terms that a forwarded packet widens.

    Ends with 0 only if there are none: terms of a forwarded packet are preserved or restricted, never relaxed.
    """
    findings = check_forwarding(load_packet(parent), load_packet(child))
    widened = any(one.severity is Severity.ERROR for one in findings)
    print_findings(findings, "widened" if widened else "preserved or restricted", as_json)
    if widened:
        raise typer.Exit(1)


@app.command("check-return")
def check_returned(
    packet: Annotated[Path, typer.Argument(help="The packet.", show_default=False)],
    returned: Annotated[Path, typer.Argument(metavar="RETURN", help="The return.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Report the parts of a return that exceed its contract.

    Ends with 0 only if there are none: a return proposes, and writes nothing.
    """
    record = load_record(returned).value
    if not isinstance(record, PacketReturn):
        raise CommandError(f"{returned} is no return")
    findings = check_return(load_packet(packet), record)
    beyond = any(one.severity is Severity.ERROR for one in findings)
    print_findings(findings, "beyond the contract" if beyond else "within the contract", as_json)
    if beyond:
        raise typer.Exit(1)


@app.command("closure")
def closure(
    files: Annotated[
        list[Path],
        typer.Argument(help="The packets of a thread in their order, and the records about them.", show_default=False),
    ],
    keys: KeySources = None,
    known_key: KnownKeyTexts = None,
    by_letter: Literal = False,
    url: Url = DEFAULT_URL,
    token: Token = None,
    as_json: AsJson = False,
) -> None:
    """Say whether a thread of packets is closed.

    If it is open, every open place is printed. A record counts if an agent with a right to it signed it: --keys and
    --known-key name the holders of keys. A return is compared with its contract. --by-letter counts every record
    instead, of any author. A file holds a packet, a receipt, a return or a disposition, or one object with packets,
    receipts, returns and dispositions as lists. Ends with 0 only if the loop is closed.
    """
    if by_letter:
        report = closure_by_letter(*load_thread(files))
    else:
        packets, records, problems = load_signed_thread(files)
        ring = open_keyring(
            keys, known_key, [*(one.members for one in packets), *(one.members for one in records)], url, token
        )
        report = check_closure(
            [SignedPacket(one, speaker_or_none(one.members, ring.keys)) for one in packets],
            [SignedRecord(one, speaker_or_none(one.members, ring.keys)) for one in records],
            ring.governance,
        )
        report = replace(report, remarks=(*report.remarks, *problems))
    print_closure(report, as_json)
    if not report.is_closed:
        raise typer.Exit(1)


app.command("assemble")(packet_assemble.assemble)
app.command("receive")(packet_receive.receive_packet)
app.command("use")(packet_receive.use_packet)
app.command("return")(packet_return.return_packet)
app.command("disposition")(packet_return.dispose)
app.command("forward")(packet_forward.forward_packet)
app.command("register")(packet_forward.register_packet)
