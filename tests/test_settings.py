"""The settings that an environment makes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graph.settings import Settings, SettingsError

HOME = {"HOME": "/home/somebody"}


def test_an_empty_environment_means_the_embedded_engine_on_this_machine() -> None:
    settings = Settings.from_environment(HOME)
    assert settings == Settings(data=Path("/home/somebody/.local/share/a2ap"))
    assert settings.neo4j_uri is None
    assert settings.objects_url is None
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.on_failed_evidence == "refuse"


def test_every_variable_is_read() -> None:
    env = {
        "NEO4J_URI": "neo4j+s://graph.example:7687",
        "NEO4J_USER": "somebody",
        "NEO4J_PASSWORD": "one",
        "NEO4J_DATABASE": "a2ap",
        "NEO4J_READER_USER": "reader",
        "NEO4J_READER_PASSWORD": "five",
        "A2AP_DATA": "/srv/a2ap",
        "A2AP_OBJECTS_URL": "s3://bucket/prefix",
        "A2AP_HOST": "0.0.0.0",
        "A2AP_PORT": "80",
        "A2AP_PUBLIC_URL": "https://a2ap.example/node/",
        "A2AP_NAMES": "graph.internal, platform:8000",
        "A2AP_MAX_CONNECTIONS": "64",
        "A2AP_MAX_CONNECTIONS_OF_ADDRESS": "8",
        "A2AP_CLIENT_PATIENCE": "2.5",
        "A2AP_OPERATOR_TOKEN": "two",
        "A2AP_READER_TOKENS": "/srv/tokens.json",
        "A2AP_ON_FAILED_EVIDENCE": "record",
        "A2AP_LLM_URL": "http://127.0.0.1:11434/v1",
        "A2AP_LLM_KEY": "three",
        "A2AP_LLM_MODEL": "small",
        "A2AP_EMBEDDINGS_URL": "http://127.0.0.1:11434/v1",
        "A2AP_EMBEDDINGS_KEY": "five",
        "A2AP_EMBEDDINGS_MODEL": "near",
        "A2AP_EMBEDDINGS_BOUNDARY": "internal",
        "A2AP_EMBEDDINGS_CLOSENESS": "0.25",
        "QDRANT_URL": "http://127.0.0.1:6333",
        "QDRANT_API_KEY": "six",
        "A2AP_ENGINE_HEAP": "512M",
        "A2AP_ENGINE_OPTIONS": " -XX:+UseSerialGC -Xss2m",
        "A2AP_QUERY_TIMEOUT": "2.5",
        "A2AP_SPARQL_TIMEOUT": "1.5",
        "A2AP_SPARQL_ROWS": "7",
        "A2AP_CYPHER_TIMEOUT": "0.5",
        "A2AP_ASKS_PER_DAY": "9",
        "A2AP_GRAPHQL_TIMEOUT": "1.5",
        "A2AP_GRAPHQL_MAX_COST": "1000",
        "A2AP_GRAPHQL_INTROSPECTION": "off",
        "A2AP_GRAPHQL_QUERIES": "/srv/queries",
        "AWS_ACCESS_KEY_ID": "four",
        "AWS_PROFILE": "not for us",
    }
    assert Settings.from_environment(env) == Settings(
        data=Path("/srv/a2ap"),
        neo4j_uri="neo4j+s://graph.example:7687",
        neo4j_user="somebody",
        neo4j_password="one",
        neo4j_database="a2ap",
        neo4j_reader_user="reader",
        neo4j_reader_password="five",
        objects_url="s3://bucket/prefix",
        objects_options=(("AWS_ACCESS_KEY_ID", "four"),),
        host="0.0.0.0",
        port=80,
        public_url="https://a2ap.example/node",
        names=("graph.internal", "platform:8000"),
        max_connections=64,
        max_connections_of_address=8,
        client_patience=2.5,
        operator_token="two",
        reader_tokens=Path("/srv/tokens.json"),
        on_failed_evidence="record",
        llm_url="http://127.0.0.1:11434/v1",
        llm_key="three",
        llm_model="small",
        embeddings_url="http://127.0.0.1:11434/v1",
        embeddings_key="five",
        embeddings_model="near",
        embeddings_boundary="internal",
        embeddings_closeness=0.25,
        qdrant_url="http://127.0.0.1:6333",
        qdrant_key="six",
        engine_heap="512m",
        engine_options=("-XX:+UseSerialGC", "-Xss2m"),
        query_timeout=2.5,
        sparql_timeout=1.5,
        sparql_rows=7,
        cypher_timeout=0.5,
        asks_per_day=9,
        graphql_timeout=1.5,
        graphql_max_cost=1000,
        graphql_introspection="off",
        graphql_queries=Path("/srv/queries"),
    )


def test_secrets_are_not_shown() -> None:
    env = HOME | {
        "NEO4J_URI": "bolt://h:1",
        "NEO4J_PASSWORD": "hidden-1",
        "A2AP_OPERATOR_TOKEN": "hidden-2",
        "A2AP_LLM_KEY": "hidden-3",
        "A2AP_EMBEDDINGS_KEY": "hidden-5",
        "QDRANT_API_KEY": "hidden-6",
        "AWS_SECRET_ACCESS_KEY": "hidden-4",
    }
    assert "hidden" not in repr(Settings.from_environment(env))


def test_the_data_folder_follows_the_desktop_s_convention() -> None:
    assert Settings.from_environment(HOME | {"XDG_DATA_HOME": "/data"}).data == Path("/data/a2ap")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NEO4J_URI", "http://h"),
        ("NEO4J_URI", "bolt://"),
        ("NEO4J_URI", "bolt://user:hidden@h"),
        ("A2AP_OBJECTS_URL", "https://h/bucket"),
        ("A2AP_OBJECTS_URL", "bucket"),
        ("A2AP_PORT", "http"),
        ("A2AP_PORT", "-1"),
        ("A2AP_PUBLIC_URL", "a2ap.example"),
        ("A2AP_PUBLIC_URL", "https://h/?x"),
        ("A2AP_NAMES", "*"),
        ("A2AP_NAMES", "https://h"),
        ("A2AP_NAMES", "h, h:port"),
        ("A2AP_NAMES", "h/path"),
        ("A2AP_NAMES", "u@h"),
        ("A2AP_MAX_CONNECTIONS", "0"),
        ("A2AP_PORT", "65536"),
        ("A2AP_PORT", "٨٠"),
        ("A2AP_ON_FAILED_EVIDENCE", "ignore"),
        ("A2AP_LLM_URL", "file:///etc/passwd"),
        ("A2AP_EMBEDDINGS_URL", "file:///etc/passwd"),
        ("A2AP_EMBEDDINGS_BOUNDARY", "secret"),
        ("A2AP_EMBEDDINGS_CLOSENESS", "near"),
        ("A2AP_EMBEDDINGS_CLOSENESS", "nan"),
        ("A2AP_EMBEDDINGS_CLOSENESS", "1.5"),
        ("QDRANT_URL", "localhost:6333"),
        ("A2AP_ENGINE_HEAP", "m"),
        ("A2AP_ENGINE_HEAP", "1gb"),
        ("A2AP_ENGINE_OPTIONS", "com.example.Main"),
        ("A2AP_QUERY_TIMEOUT", "soon"),
        ("A2AP_GRAPHQL_INTROSPECTION", "perhaps"),
        ("A2AP_GRAPHQL_MAX_COST", "0"),
        ("A2AP_QUERY_TIMEOUT", "0"),
        ("A2AP_QUERY_TIMEOUT", "nan"),
    ],
)
def test_a_value_that_is_not_usable_is_an_error_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^{name} ") as caught:
        Settings.from_environment(HOME | {"NEO4J_PASSWORD": "x", name: value})
    assert "hidden" not in str(caught.value)


def test_a_server_needs_a_password() -> None:
    with pytest.raises(SettingsError, match="NEO4J_READER_PASSWORD is not set"):
        Settings.from_environment(HOME | {"NEO4J_READER_USER": "reader"})
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD is not set"):
        Settings.from_environment(HOME | {"NEO4J_URI": "bolt://h:1"})


def test_somewhere_there_must_be_a_data_folder() -> None:
    with pytest.raises(SettingsError, match="A2AP_DATA is not set"):
        Settings.from_environment({})


def test_an_empty_value_counts_as_absent() -> None:
    names = ("NEO4J_URI", "A2AP_PORT", "A2AP_DATA", "A2AP_ENGINE_HEAP", "A2AP_QUERY_TIMEOUT", "A2AP_LLM_URL")
    assert Settings.from_environment(HOME | dict.fromkeys(names, "")) == Settings.from_environment(HOME)


def test_importing_the_store_reads_and_starts_nothing() -> None:
    code = "import graph.store, graph.content.content_store, sys; print('arcadedb_embedded' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env={})
    assert shown.stdout == "False\n"
