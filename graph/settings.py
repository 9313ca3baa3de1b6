"""The platform's settings, read once from an explicit mapping such as `os.environ`.

Nothing is read at import and nothing is looked up later: what a part needs enters as a `Settings` value.
Secrets have no default. Errors name the variable and never show its value where that could be a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

_NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_OBJECT_SCHEMES = ("s3",)
_OBJECT_OPTIONS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
)


class SettingsError(ValueError):
    """A variable of the environment is missing or its value is not usable; the message names it."""


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one process. Times are seconds."""

    data: Path
    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: str | None = field(default=None, repr=False)
    neo4j_database: str = "neo4j"
    objects_url: str | None = None
    objects_options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str | None = None
    operator_token: str | None = field(default=None, repr=False)
    reader_tokens: Path | None = None
    on_failed_evidence: str = "refuse"
    on_unbound_verdict: str = "refuse"
    node_key: Path | None = None
    log_key: Path | None = None
    witnesses: Path | None = None
    node_signer: str | None = field(default=None, repr=False)
    node_public_key: str | None = None
    log_signer: str | None = field(default=None, repr=False)
    log_public_key: str | None = None
    log_next_signer: str | None = field(default=None, repr=False)
    log_next_public_key: str | None = None
    transport_signer: str | None = field(default=None, repr=False)
    transport_public_key: str | None = None
    llm_url: str | None = None
    llm_key: str | None = field(default=None, repr=False)
    llm_model: str | None = None
    engine_heap: str = "1g"
    query_timeout: float = 60.0
    max_source_bytes: int = 2**30
    max_bulk_bytes: int = 2**28
    max_open_requests: int = 1000
    pull_interval: float = 300.0

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> Settings:
        """Return the settings that `env` holds. Raises SettingsError; an empty value counts as absent."""
        uri = _url(env, "NEO4J_URI", _NEO4J_SCHEMES)
        if uri is not None and not env.get("NEO4J_PASSWORD"):
            raise SettingsError("NEO4J_PASSWORD is not set although NEO4J_URI is")
        return cls(
            data=_data_folder(env),
            neo4j_uri=uri,
            neo4j_user=env.get("NEO4J_USER") or "neo4j",
            neo4j_password=env.get("NEO4J_PASSWORD") or None,
            neo4j_database=env.get("NEO4J_DATABASE") or "neo4j",
            objects_url=_url(env, "A2AP_OBJECTS_URL", _OBJECT_SCHEMES),
            objects_options=tuple((name, env[name]) for name in _OBJECT_OPTIONS if env.get(name)),
            host=env.get("A2AP_HOST") or "127.0.0.1",
            port=_port(env, "A2AP_PORT", 8000),
            public_url=_public_url(env, "A2AP_PUBLIC_URL"),
            operator_token=env.get("A2AP_OPERATOR_TOKEN") or None,
            reader_tokens=_path(env, "A2AP_READER_TOKENS"),
            on_failed_evidence=_choice(env, "A2AP_ON_FAILED_EVIDENCE", ("refuse", "record")),
            on_unbound_verdict=_choice(env, "A2AP_ON_UNBOUND_VERDICT", ("refuse", "record")),
            node_key=_path(env, "A2AP_NODE_KEY"),
            log_key=_path(env, "A2AP_LOG_KEY"),
            witnesses=_path(env, "A2AP_WITNESSES"),
            node_signer=_signer(env, "A2AP_NODE_SIGNER"),
            node_public_key=env.get("A2AP_NODE_PUBLIC_KEY") or None,
            log_signer=_signer(env, "A2AP_LOG_SIGNER"),
            log_public_key=env.get("A2AP_LOG_PUBLIC_KEY") or None,
            log_next_signer=_signer(env, "A2AP_LOG_NEXT_SIGNER"),
            log_next_public_key=env.get("A2AP_LOG_NEXT_PUBLIC_KEY") or None,
            transport_signer=_signer(env, "A2AP_TRANSPORT_SIGNER"),
            transport_public_key=env.get("A2AP_TRANSPORT_PUBLIC_KEY") or None,
            llm_url=_url(env, "A2AP_LLM_URL", ("http", "https")),
            llm_key=env.get("A2AP_LLM_KEY") or None,
            llm_model=env.get("A2AP_LLM_MODEL") or None,
            engine_heap=_heap(env, "A2AP_ENGINE_HEAP", "1g"),
            query_timeout=_seconds(env, "A2AP_QUERY_TIMEOUT", 60.0),
            max_source_bytes=_bytes(env, "A2AP_MAX_SOURCE_BYTES", 2**30),
            max_bulk_bytes=_bytes(env, "A2AP_MAX_BULK_BYTES", 2**28),
            max_open_requests=_number(env, "A2AP_MAX_OPEN_REQUESTS", 1000),
            pull_interval=_seconds(env, "A2AP_PULL_INTERVAL", 300.0),
        )


def _data_folder(env: Mapping[str, str]) -> Path:
    named = _path(env, "A2AP_DATA")
    if named is not None:
        return named
    if env.get("XDG_DATA_HOME"):
        return Path(env["XDG_DATA_HOME"]) / "a2ap"
    if not env.get("HOME"):
        raise SettingsError("A2AP_DATA is not set and neither is HOME")
    return Path(env["HOME"]) / ".local" / "share" / "a2ap"


def _path(env: Mapping[str, str], name: str) -> Path | None:
    value = env.get(name)
    if not value:
        return None
    try:
        return Path(value).expanduser()
    except RuntimeError as error:
        raise SettingsError(f"{name} is {value!r}, a home folder that is not known") from error


def _signer(env: Mapping[str, str], name: str) -> str | None:
    command, prefix = env.get(name) or None, name.removesuffix("_SIGNER")
    if command is not None and env.get(f"{prefix}_KEY"):
        raise SettingsError(f"{name} and {prefix}_KEY are both set, and a key is in one place")
    if command is None and env.get(f"{prefix}_PUBLIC_KEY"):
        raise SettingsError(f"{prefix}_PUBLIC_KEY is set although {name} is not")
    return command


def _url(env: Mapping[str, str], name: str, schemes: tuple[str, ...]) -> str | None:
    value = env.get(name)
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in schemes or not parts.netloc:
        raise SettingsError(f"{name} is not a URL that begins with {' or '.join(f'{s}://' for s in schemes)}")
    if "@" in parts.netloc:
        raise SettingsError(f"{name} carries a user or password")
    return value


def _public_url(env: Mapping[str, str], name: str) -> str | None:
    value = _url(env, name, ("https", "http"))
    if value is not None and (urlsplit(value).query or urlsplit(value).fragment):
        raise SettingsError(f"{name} is {value!r}, an address with a query or fragment")
    return value.rstrip("/") if value is not None else None


def _port(env: Mapping[str, str], name: str, default: int) -> int:
    value = env.get(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and 0 <= int(value) <= 65535):
        raise SettingsError(f"{name} is {value!r}, not a port number")
    return int(value)


def _choice(env: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    value = env.get(name) or choices[0]
    if value not in choices:
        raise SettingsError(f"{name} is {value!r}, not one of {', '.join(choices)}")
    return value


def _heap(env: Mapping[str, str], name: str, default: str) -> str:
    value = (env.get(name) or default).lower()
    if not (value[:-1].isascii() and value[:-1].isdigit() and value[-1] in "mg"):
        raise SettingsError(f"{name} is {value!r}, not a size such as 512m or 1g")
    return value


def _bytes(env: Mapping[str, str], name: str, default: int) -> int:
    value = env.get(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and len(value) < 16):
        raise SettingsError(f"{name} is {value!r}, not a number of bytes")
    return int(value)


def _number(env: Mapping[str, str], name: str, default: int) -> int:
    value = env.get(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and 0 < len(value) < 10 and int(value) > 0):
        raise SettingsError(f"{name} is {value!r}, not a number above 0")
    return int(value)


def _seconds(env: Mapping[str, str], name: str, default: float) -> float:
    value = env.get(name)
    if not value:
        return default
    try:
        seconds = float(value)
    except ValueError as error:
        raise SettingsError(f"{name} is {value!r}, not a number of seconds") from error
    if not 0 < seconds < 86_400:
        raise SettingsError(f"{name} is {value!r}, not between 0 and 86400 seconds")
    return seconds
