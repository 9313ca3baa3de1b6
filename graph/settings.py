"""The platform's settings, read once from an explicit mapping such as `os.environ`.

Nothing is read at import and nothing is looked up later: each part is given a `Settings` value. Secrets have no
default. `graph.environment` reads the variables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from a2ap.boundary import Boundary
from graph.environment import Environment, SettingsError

__all__ = ["Settings", "SettingsError"]

_NEO4J_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_OBJECT_SCHEMES = ("s3",)
OBJECT_OPTIONS = (
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of one process. Times are seconds."""

    data: Path
    neo4j_uri: str | None = None
    neo4j_user: str = "neo4j"
    neo4j_password: str | None = field(default=None, repr=False)
    neo4j_database: str = "neo4j"
    neo4j_reader_user: str | None = None
    neo4j_reader_password: str | None = field(default=None, repr=False)
    objects_url: str | None = None
    objects_options: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str | None = None
    names: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    max_connections: int = 1024
    max_connections_of_address: int = 256
    client_patience: float = 30.0
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
    embeddings_url: str | None = None
    embeddings_key: str | None = field(default=None, repr=False)
    embeddings_model: str | None = None
    embeddings_boundary: str = "public"
    embeddings_closeness: float = 0.4
    qdrant_url: str | None = None
    qdrant_key: str | None = field(default=None, repr=False)
    engine_heap: str = "1g"
    engine_options: tuple[str, ...] = ()
    query_timeout: float = 60.0
    cypher_timeout: float = 10.0
    asks_per_day: int = 200
    graphql_timeout: float = 30.0
    graphql_max_cost: int = 50_000
    graphql_introspection: str = "on"
    graphql_queries: Path | None = None
    past_graphs: int = 2
    sparql_timeout: float = 10.0
    sparql_rows: int = 10_000
    max_source_bytes: int = 2**30
    max_bulk_bytes: int = 2**28
    max_open_requests: int = 1000
    pull_interval: float = 300.0
    peer_sources: str = "on"
    peer_source_bytes: int = 2**26
    peer_sources_bytes: int = 2**28

    @classmethod
    def from_environment(cls, variables: Mapping[str, str]) -> Settings:
        """Return the settings that these variables hold. Raises SettingsError; an empty value counts as absent."""
        env = Environment(variables)
        uri = env.url("NEO4J_URI", _NEO4J_SCHEMES)
        if uri is not None and not env.text("NEO4J_PASSWORD"):
            raise SettingsError("NEO4J_PASSWORD is not set although NEO4J_URI is")
        if env.text("NEO4J_READER_USER") and not env.text("NEO4J_READER_PASSWORD"):
            raise SettingsError("NEO4J_READER_PASSWORD is not set although NEO4J_READER_USER is")
        return cls(
            data=env.data_folder(),
            neo4j_uri=uri,
            neo4j_user=env.text("NEO4J_USER") or "neo4j",
            neo4j_password=env.text("NEO4J_PASSWORD"),
            neo4j_database=env.text("NEO4J_DATABASE") or "neo4j",
            neo4j_reader_user=env.text("NEO4J_READER_USER"),
            neo4j_reader_password=env.text("NEO4J_READER_PASSWORD"),
            objects_url=env.url("A2AP_OBJECTS_URL", _OBJECT_SCHEMES),
            objects_options=tuple((name, value) for name in OBJECT_OPTIONS if (value := env.text(name)) is not None),
            host=env.text("A2AP_HOST") or "127.0.0.1",
            port=env.port("A2AP_PORT", 8000),
            public_url=env.public_url("A2AP_PUBLIC_URL"),
            names=env.names("A2AP_NAMES"),
            trusted_proxies=env.networks("A2AP_TRUSTED_PROXIES"),
            max_connections=env.number("A2AP_MAX_CONNECTIONS", 1024),
            max_connections_of_address=env.number("A2AP_MAX_CONNECTIONS_OF_ADDRESS", 256),
            client_patience=env.seconds("A2AP_CLIENT_PATIENCE", 30.0),
            operator_token=env.text("A2AP_OPERATOR_TOKEN"),
            reader_tokens=env.path("A2AP_READER_TOKENS"),
            on_failed_evidence=env.choice("A2AP_ON_FAILED_EVIDENCE", ("refuse", "record")),
            on_unbound_verdict=env.choice("A2AP_ON_UNBOUND_VERDICT", ("refuse", "record")),
            node_key=env.path("A2AP_NODE_KEY"),
            log_key=env.path("A2AP_LOG_KEY"),
            witnesses=env.path("A2AP_WITNESSES"),
            node_signer=env.signer("A2AP_NODE_SIGNER"),
            node_public_key=env.text("A2AP_NODE_PUBLIC_KEY"),
            log_signer=env.signer("A2AP_LOG_SIGNER"),
            log_public_key=env.text("A2AP_LOG_PUBLIC_KEY"),
            log_next_signer=env.signer("A2AP_LOG_NEXT_SIGNER"),
            log_next_public_key=env.text("A2AP_LOG_NEXT_PUBLIC_KEY"),
            transport_signer=env.signer("A2AP_TRANSPORT_SIGNER"),
            transport_public_key=env.text("A2AP_TRANSPORT_PUBLIC_KEY"),
            llm_url=env.url("A2AP_LLM_URL", ("http", "https")),
            llm_key=env.text("A2AP_LLM_KEY"),
            llm_model=env.text("A2AP_LLM_MODEL"),
            embeddings_url=env.url("A2AP_EMBEDDINGS_URL", ("http", "https")),
            embeddings_key=env.text("A2AP_EMBEDDINGS_KEY"),
            embeddings_model=env.text("A2AP_EMBEDDINGS_MODEL"),
            embeddings_boundary=env.choice("A2AP_EMBEDDINGS_BOUNDARY", tuple(Boundary)),
            embeddings_closeness=env.share("A2AP_EMBEDDINGS_CLOSENESS", 0.4),
            qdrant_url=env.url("QDRANT_URL", ("http", "https")),
            qdrant_key=env.text("QDRANT_API_KEY"),
            engine_heap=env.heap("A2AP_ENGINE_HEAP", "1g"),
            engine_options=env.options("A2AP_ENGINE_OPTIONS"),
            query_timeout=env.seconds("A2AP_QUERY_TIMEOUT", 60.0),
            cypher_timeout=env.seconds("A2AP_CYPHER_TIMEOUT", 10.0),
            asks_per_day=env.number("A2AP_ASKS_PER_DAY", 200),
            graphql_timeout=env.seconds("A2AP_GRAPHQL_TIMEOUT", 30.0),
            graphql_max_cost=env.number("A2AP_GRAPHQL_MAX_COST", 50_000),
            graphql_introspection=env.choice("A2AP_GRAPHQL_INTROSPECTION", ("on", "off")),
            graphql_queries=env.path("A2AP_GRAPHQL_QUERIES"),
            past_graphs=env.small_number("A2AP_PAST_GRAPHS", 2),
            sparql_timeout=env.seconds("A2AP_SPARQL_TIMEOUT", 10.0),
            sparql_rows=env.number("A2AP_SPARQL_ROWS", 10_000),
            max_source_bytes=env.bytes("A2AP_MAX_SOURCE_BYTES", 2**30),
            max_bulk_bytes=env.bytes("A2AP_MAX_BULK_BYTES", 2**28),
            max_open_requests=env.number("A2AP_MAX_OPEN_REQUESTS", 1000),
            pull_interval=env.seconds("A2AP_PULL_INTERVAL", 300.0),
            peer_sources=env.choice("A2AP_PEER_SOURCES", ("on", "off")),
            peer_source_bytes=env.bytes("A2AP_PEER_SOURCE_BYTES", 2**26),
            peer_sources_bytes=env.bytes("A2AP_PEER_SOURCES_BYTES", 2**28),
        )
