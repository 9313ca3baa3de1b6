"""The part of the examination that needs no running node: settings, files and programs of this machine. It only reads.

No key, token or password is in a finding, nor a command that signs, which may have one among its arguments.
"""

import asyncio
import importlib.util
import os
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from neo4j import RoutingControl
from neo4j.exceptions import DriverError, Neo4jError

from a2ap.durable_files import is_private
from a2ap.errors import A2APError
from a2ap.key_file import KeyFile, read_key_file
from a2ap.log.signed_note import VerifierKey
from a2ap.signing.keys import PublicKey
from cypher import load_query
from graph.clearance import Readers
from graph.content.space import LEAST as LEAST_SPACE
from graph.database.driver import driver_of
from graph.database.endpoint import Endpoint
from graph.database.store_errors import store_error
from graph.doctor.finding import Finding, passed, problem, warning
from graph.doctor.judgements import (
    judge_clock,
    judge_model,
    judge_names,
    judge_open_files,
    judge_proxies,
    judge_space,
)
from graph.engine.files import EngineFolder
from graph.engine.process import check_platform, java_program, start_time
from graph.errors import GraphError
from graph.federation.transport_key import FILE as TRANSPORT_KEY
from graph.graphql.persisted import read_queries
from graph.keys.node_signers import node_key_file
from graph.models.minilm import PACKAGE
from graph.node import node_id
from graph.open_files import BESIDE, allow_open_files
from graph.open_files import LEAST as LEAST_FILES
from graph.search.embedder import LOCAL_MODEL
from graph.settings import Settings, SettingsError
from graph.transparency.kept_checkpoint import CHECKPOINT

_DATABASE_PATIENCE = 10.0  # seconds
_SECRETS = ("operator.token", "engine/root.password", "engine/reader.password")


@dataclass(frozen=True, slots=True)
class Folder:
    """The node's data in a data folder: its id, the keys of its log, and the stored checkpoint.

    `node` is None if the key is not in a readable file.
    """

    node: str | None
    log_keys: tuple[VerifierKey, ...]
    checkpoint: str | None
    written: datetime | None

    def age(self, now: datetime) -> timedelta | None:
        """Return the time since the checkpoint was written."""
        return None if self.written is None else now - self.written


def read_folder(settings: Settings) -> Folder:
    """Return the contents of the data folder; unreadable parts are left out, and `folder_findings` says why."""
    node, log_keys = _node_here(settings), []
    log_key = settings.log_key or settings.data / "log.key"
    for file in (log_key, log_key.with_name(f"{log_key.name}.next")):
        found = None if settings.log_signer is not None else _read_key(file)
        if isinstance(found, KeyFile):
            log_keys.append(VerifierKey(node or found.agent_id, found.key.public_key))
    kept = settings.data / CHECKPOINT
    try:
        note = kept.read_text(encoding="utf-8", errors="replace")
        written = datetime.fromtimestamp(kept.stat().st_mtime, UTC)
    except OSError:
        note, written = None, None
    return Folder(node, tuple(log_keys), note, written)


async def folder_findings(settings: Settings, folder: Folder, wanted_space: int, now: datetime) -> list[Finding]:
    """Examine settings, files and programs; `wanted_space` is the bytes that should be free."""
    findings = [
        *_data_findings(settings.data, wanted_space),
        judge_open_files(allow_open_files(LEAST_FILES), LEAST_FILES, settings.max_connections, BESIDE),
        judge_clock(now, {} if folder.written is None else {"the kept checkpoint was written": folder.written}),
        *_key_findings(settings, folder),
        *_secret_findings(settings),
        await _neo4j_finding(settings) if settings.neo4j_uri is not None else _engine_finding(settings),
        judge_names(settings.host, settings.names, settings.public_url),
        judge_proxies(settings.host, settings.public_url, settings.trusted_proxies),
        judge_model("model", "A2AP_LLM_URL", "A2AP_LLM_MODEL", settings.llm_url, settings.llm_model),
        _embeddings_finding(settings),
    ]
    if settings.graphql_queries is not None:
        findings.append(_queries_finding(settings.graphql_queries))
    return findings


def _data_findings(data: Path, wanted_space: int) -> Iterator[Finding]:
    here = next(folder for folder in (data, *data.parents) if folder.exists())
    if not here.is_dir():
        yield problem("data folder", f"{here} is not a folder", "name another with A2AP_DATA or --data")
        return
    if not os.access(here, os.R_OK | os.W_OK | os.X_OK):
        cause = f"this user may not read and write {here}"
        yield problem("data folder", cause, "run this as the user of the node, or make that user the owner")
        return
    if here != data:
        yield warning(
            "data folder",
            f"{data} is not there; a2ap serve makes it, and a new node in it",
            "name the folder of the node with A2AP_DATA or --data, if there is one",
        )
    elif (mode := data.stat().st_mode & 0o777) & 0o022:
        cause = f"{data} has mode {mode:04o}, so other users of this machine can put files in it"
        yield problem("data folder", cause, f"chmod 700 {data}")
    else:
        yield passed("data folder", str(data))
    yield judge_space(shutil.disk_usage(here).free, LEAST_SPACE, wanted_space, str(here))


def _key_findings(settings: Settings, folder: Folder) -> Iterator[Finding]:
    log_key = settings.log_key or settings.data / "log.key"
    keys = (
        ("node key", settings.node_signer, "A2AP_NODE_SIGNER", node_key_file(settings), True),
        ("log key", settings.log_signer, "A2AP_LOG_SIGNER", log_key, True),
        ("transport key", settings.transport_signer, "A2AP_TRANSPORT_SIGNER", settings.data / TRANSPORT_KEY, False),
    )
    for check, signer, variable, file, needed in keys:
        if signer is not None:
            yield _signer_finding(check, signer, variable)
        else:
            yield _key_finding(check, file, needed=needed and folder.checkpoint is not None)


def _key_finding(check: str, file: Path, *, needed: bool) -> Finding:
    found = _read_key(file)
    if isinstance(found, KeyFile):
        return passed(check, f"{found.agent_id} in {file}" if check == "node key" else str(file))
    if isinstance(found, FileNotFoundError):
        if needed:
            cause = f"{file} is not there, and a log that was signed is; the next start would make another key"
            return problem(check, cause, f"put {file.name} back from a backup before the next start")
        return passed(check, f"{file} is not there; it is made when it is needed")
    if isinstance(found, OSError):
        return problem(check, f"{file} cannot be read: {found.strerror}", "make the user of the node its owner")
    remedy = f"put {file.name} back from a backup" if is_private(file) else f"chmod 600 {file}"
    return problem(check, str(found), remedy)


def _signer_finding(check: str, command: str, variable: str) -> Finding:
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words or shutil.which(words[0]) is None:
        cause = f"the command of {variable} is not a program that can be run"
        return problem(check, cause, f"correct {variable}, or install that program")
    return passed(check, f"with the command of {variable}, which is not asked")


def _secret_findings(settings: Settings) -> Iterator[Finding]:
    readable = []
    for file in [settings.data / name for name in _SECRETS]:
        if file.exists() and not is_private(file):
            readable.append(str(file))
    if readable:
        cause = f"other users of this machine can read {', '.join(readable)}"
        yield problem("secrets", cause, f"chmod 600 {' '.join(readable)}, and make new ones if others have read them")
    else:
        yield passed("secrets", "tokens and passwords in the data folder are readable by their owner alone")
    try:
        Readers.from_settings(settings)
    except SettingsError as error:
        yield problem("tokens", str(error), "correct that setting or file: a token has 16 characters or more")


def _engine_finding(settings: Settings) -> Finding:
    try:
        check_platform()
        java = java_program()
    except GraphError as error:
        return problem("engine", str(error), "install it again (make install), or set NEO4J_URI")
    if not os.access(java, os.X_OK):
        cause = f"{java}, the Java of the embedded engine, cannot be run"
        return problem("engine", cause, "install it again (make install), or set NEO4J_URI")
    running = EngineFolder(settings.data / "engine").running()
    if running is not None and start_time(running.pid) == running.started:
        return passed("engine", f"the embedded engine runs, process {running.pid}")
    return passed("engine", "the embedded engine is installed, and does not run now")


async def _neo4j_finding(settings: Settings) -> Finding:
    user, password = settings.neo4j_user, settings.neo4j_password or ""
    endpoint = Endpoint(settings.neo4j_uri or "", user, password, settings.neo4j_database, "neo4j")
    remedy = "start Neo4j, or correct NEO4J_URI, NEO4J_USER and NEO4J_PASSWORD"
    try:
        async with asyncio.timeout(_DATABASE_PATIENCE), driver_of(endpoint, user, password) as driver:
            # A query of the database that is named: whether it is there, a login alone does not tell.
            query = load_query("log_size").text
            await driver.execute_query(query, database_=endpoint.database, routing_=RoutingControl.READ)
    except (DriverError, Neo4jError) as error:
        return problem("database", str(store_error(error, endpoint.uri)), remedy)
    except (OSError, ValueError) as error:
        cause = f"{endpoint.uri} did not answer within {_DATABASE_PATIENCE:.0f} seconds"
        return problem("database", cause if isinstance(error, TimeoutError) else f"{endpoint.uri}: {error}", remedy)
    return passed("database", f"Neo4j at {endpoint.uri} takes the login")


def _embeddings_finding(settings: Settings) -> Finding:
    url, model = settings.embeddings_url, settings.embeddings_model
    if url is None and model is not None:
        if model != LOCAL_MODEL:
            cause = f"A2AP_EMBEDDINGS_MODEL is {model!r}, and without A2AP_EMBEDDINGS_URL it is {LOCAL_MODEL}"
            return problem("embeddings", cause, "correct A2AP_EMBEDDINGS_MODEL, or set A2AP_EMBEDDINGS_URL")
        if importlib.util.find_spec(PACKAGE) is None:
            return problem("embeddings", f"{LOCAL_MODEL} is not installed", "make embeddings")
        return passed("embeddings", f"{model} in the process of the server")
    if settings.qdrant_url is not None and importlib.util.find_spec("qdrant_client") is None:
        cause = "QDRANT_URL is set, and its client is not installed"
        return problem("embeddings", cause, "pip install 'a2ap[qdrant]', or unset QDRANT_URL")
    return judge_model("embeddings", "A2AP_EMBEDDINGS_URL", "A2AP_EMBEDDINGS_MODEL", url, model)


def _queries_finding(path: Path) -> Finding:
    try:
        read_queries(path)
    except SettingsError as error:
        return problem(
            "GraphQL operations", str(error), "correct A2AP_GRAPHQL_QUERIES, or the file or folder that it names"
        )
    return passed("GraphQL operations", str(path))


def _node_here(settings: Settings) -> str | None:
    if settings.node_signer is None:
        found = _read_key(node_key_file(settings))
        return node_id(found.key.public_key) if isinstance(found, KeyFile) else None
    try:
        return None if settings.node_public_key is None else node_id(PublicKey.parse(settings.node_public_key))
    except A2APError:
        return None


def _read_key(file: Path) -> KeyFile | OSError | A2APError:
    try:
        return read_key_file(file)
    except (OSError, A2APError) as error:
        return error
