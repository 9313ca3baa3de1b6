"""The judgements of `a2ap doctor`: findings from facts gathered elsewhere, without I/O or a clock."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from a2ap.errors import A2APError, NoteError
from a2ap.log.checkpoint import open_checkpoint, read_checkpoint
from a2ap.log.cosignature import open_cosignatures
from a2ap.log.policy_file import PolicyFile
from a2ap.log.signed_note import VerifierKey, read_note
from graph.doctor.finding import Finding, passed, problem, warning

UNWITNESSED = "nobody cosigns this log, so its operator could show two readers two logs, and neither would notice"
WITNESS_REMEDY = (
    "have witnesses asked that speak C2SP tlog-witness: docs/how-to/audit.md#witnesses says how (A2AP_WITNESSES)"
)

_CLOCK_TOLERANCE = timedelta(seconds=60)
_WITNESS_PATIENCE = timedelta(minutes=5)
_MEBIBYTE = 2**20


def judge_space(free: int, needed: int, wanted: int, folder: str) -> Finding:
    """Judge the bytes that are free: with fewer than `needed` nothing is written, fewer than `wanted` are a warning."""
    found = f"{free // _MEBIBYTE:,} MiB are free in {folder}"
    if free < needed:
        return problem("space", f"{found}, and nothing more is taken in (507)", "free some space")
    if free < wanted:
        return warning("space", f"{found}, fewer than {wanted // _MEBIBYTE:,} MiB", "free some space soon")
    return passed("space", found)


def judge_open_files(allowed: int, needed: int, connections: int, beside: int) -> Finding:
    """Judge the number of files that may be open: the platform needs `needed`, `beside` of them not for clients."""
    if allowed < needed:
        return problem("open files", f"{allowed} may be open at once, and {needed} are needed", f"ulimit -n {needed}")
    if allowed < connections + beside:
        cause = f"{allowed} may be open at once, so {allowed - beside} connections are served and not {connections}"
        return warning("open files", cause, f"ulimit -n {connections + beside}, or a lower A2AP_MAX_CONNECTIONS")
    return passed("open files", f"{allowed} may be open at once")


def judge_clock(now: datetime, known: Mapping[str, datetime]) -> Finding:
    """Judge this clock by times in the past, by the name of the event of each."""
    name, latest = max(known.items(), key=lambda one: one[1], default=("", now))
    if latest - now > _CLOCK_TOLERANCE:
        behind = int((latest - now).total_seconds())
        cause = f"this clock says {now:%Y-%m-%d %H:%M:%S} UTC, {behind:,} seconds less than {name}"
        return problem("clock", cause, "set the clock, and keep it right with NTP: messages are judged by it")
    return passed("clock", f"{now:%Y-%m-%d %H:%M:%S} UTC")


def judge_names(host: str, names: Sequence[str], public_url: str | None) -> Finding:
    """Judge the names that the node answers to by the address that it listens on."""
    known = [*names, *([urlsplit(public_url).netloc] if public_url else []), *([host] if not _is_address(host) else [])]
    said = f"listens on {host}, and answers to addresses, localhost" + "".join(f", {name}" for name in known)
    if not _is_loopback(host) and not known:
        return warning(
            "names",
            f"listens on {host}, and answers to no name but localhost: requests to a name get 421",
            "set A2AP_PUBLIC_URL, or list in A2AP_NAMES the names that clients use",
        )
    return passed("names", said)


def judge_proxies(host: str, public_url: str | None, proxies: Sequence[str]) -> Finding:
    """Judge whether a reverse proxy that the settings imply is trusted to name its clients."""
    if proxies:
        return passed("proxies", f"trusted: {', '.join(proxies)}")
    if public_url is not None and public_url.startswith("https:"):
        return warning(
            "proxies",
            f"{public_url} needs a proxy that ends TLS; none is trusted, so clients share the bounds of one address",
            "set A2AP_TRUSTED_PROXIES to the proxy's address, and have it pass on Host",
        )
    if not _is_loopback(host) and public_url is None:
        return passed("proxies", f"none is trusted; {host} is reached without TLS unless a proxy ends it")
    return passed("proxies", "none is trusted")


def judge_model(check: str, url_name: str, model_name: str, url: str | None, model: str | None) -> Finding:
    """Judge a model of an endpoint by the two settings that name it."""
    if url is not None and model is None:
        return problem(check, f"{url_name} is set and {model_name} is not", f"set {model_name}, or unset {url_name}")
    if url is None and model is not None:
        return warning(check, f"{model_name} is set and {url_name} is not, so no model is used", f"set {url_name}")
    return passed(check, "none" if model is None else model)


def judge_policy(policy: Mapping[str, Any] | None) -> Finding:
    """Judge the policy of consensus from `/.well-known/a2ap`."""
    remedy = "a2ap policy set --key node.key --seed AGENT, for each agent that is an operator in its own right"
    if policy is None:
        return problem("policy", "the node has no policy of consensus", remedy)
    seeds, quorum = policy.get("seeds") or [], policy.get("quorum")
    if not seeds:
        return warning("policy", "the policy in force has no seeds, so no statement is ever verified", remedy)
    counted = "1 seed" if len(seeds) == 1 else f"{len(seeds)} seeds"
    return passed("policy", f"{counted}, a threshold of {policy.get('threshold')}, a quorum of {quorum}")


def judge_checkpoint(
    note: str | None, age: timedelta | None, node: str | None, keys: Sequence[VerifierKey], where: str
) -> Finding:
    """Judge the newest checkpoint by the node and by the known keys; without keys, not its signature."""
    if note is None:
        return passed("log", f"no checkpoint is in {where}; the first start signs one")
    try:
        checkpoint = read_checkpoint(read_note(note).text)
    except A2APError as error:
        return problem("log", f"the checkpoint in {where} cannot be read: {error}", "restore it from a backup")
    if node is not None and checkpoint.origin != node:
        cause = f"the checkpoint in {where} is of {checkpoint.origin}, and the node key is that of {node}"
        return problem("log", cause, "put back the node key that belongs to this folder (A2AP_NODE_KEY)")
    if keys and not any(_signed_by(note, key) for key in keys):
        cause = f"the checkpoint in {where} is not signed with the log key that is here"
        return problem("log", cause, "put back the log key that belongs to this folder (A2AP_LOG_KEY)")
    signed = "" if age is None else f", the checkpoint was written {_ago(age)}"
    return passed("log", f"{checkpoint.tree_size:,} entries{signed}")


def judge_witnesses(note: str | None, age: timedelta | None, file: PolicyFile | None, now: datetime) -> Finding:
    """Judge whether the witnesses with an address cosign the log; `file` is the policy file of A2AP_WITNESSES."""
    asked = [witness.key for witness in file.witnesses if witness.url is not None] if file is not None else []
    if not asked:
        cause = UNWITNESSED if file is None else f"A2AP_WITNESSES has no witness with an address: {UNWITNESSED}"
        return warning("witnesses", cause, WITNESS_REMEDY)
    if note is None:
        return passed("witnesses", f"{len(asked)} are asked once there is a checkpoint")
    try:
        found = open_cosignatures(note, asked)
        size = read_checkpoint(read_note(note).text).tree_size
    except NoteError as error:
        return problem("witnesses", str(error), "see which key the witness publishes, and correct the policy file")
    except A2APError as error:
        return warning("witnesses", f"the checkpoint cannot be read: {error}", "see the finding about the log")
    missing = [key.name for key in asked if all(one.witness != key for one in found)]
    if missing and age is not None and age < _WITNESS_PATIENCE:
        return passed("witnesses", f"{', '.join(missing)} did not cosign yet; the checkpoint was written {_ago(age)}")
    if missing:
        cause = f"the checkpoint of {size:,} entries is not cosigned by {', '.join(missing)}"
        return warning("witnesses", cause, "see the log of the server, which has the answer of each witness")
    oldest = min(datetime.fromtimestamp(min(one.timestamp, 2**37), UTC) for one in found)
    return passed(
        "witnesses", f"{len(asked)} cosigned the checkpoint of {size:,} entries, {_ago(now - oldest)} or later"
    )


def _signed_by(note: str, key: VerifierKey) -> bool:
    try:
        open_checkpoint(note, key)
    except A2APError:
        return False
    return True


def _ago(age: timedelta) -> str:
    seconds = int(age.total_seconds())
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            number = seconds // length
            return f"{number:,} {unit}{'s' if number > 1 else ''} ago"
    return f"{max(seconds, 0)} seconds ago"


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_loopback(host: str) -> bool:
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)
