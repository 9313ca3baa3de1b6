"""That every door tells an error by one table, and that mutations answer with its kinds."""

import json

import pytest
from graphql import GraphQLInterfaceType, GraphQLList, GraphQLNonNull, GraphQLUnionType, build_schema

from a2ap.errors import SignatureError
from graph.errors import (
    ConflictError,
    ContentDamagedError,
    GraphError,
    InputError,
    StoreUnavailableError,
    TooManyOpenError,
)
from graph.graphql.problem import told_problem
from graph.graphql.sdl import schema_definition
from graph.problem import ProblemKind
from graph.problem_table import ERRORS, problem_of

SCHEMA = build_schema(schema_definition())
KINDS = {kind.value for kind in ProblemKind}

# What no document can bring about: queries, forms of answers, and what is missing or broken in the node itself.
WITHOUT_KIND = {"MISDIRECTED", "DAMAGED", "NOT_INSTALLED", "NOT_ACCEPTABLE", "TIMEOUT"}


def test_each_kind_is_a_type_that_says_what_http_says() -> None:
    interface = SCHEMA.type_map["Problem"]
    assert isinstance(interface, GraphQLInterfaceType)
    assert {one.name for one in SCHEMA.get_possible_types(interface)} == KINDS
    assert set(interface.fields) == {"message", "code", "type", "title", "path"}


@pytest.mark.parametrize(("union", "success"), [("SubmissionResult", "Receipt"), ("RecordsResult", "Receipts")])
def test_a_result_is_a_receipt_or_one_of_the_kinds(union: str, success: str) -> None:
    found = SCHEMA.type_map[union]
    assert isinstance(found, GraphQLUnionType)
    assert {one.name for one in found.types} == {success, *KINDS}


def test_every_mutation_answers_with_a_result() -> None:
    assert SCHEMA.mutation_type is not None
    answers = {name: field.type for name, field in SCHEMA.mutation_type.fields.items()}
    # A2AP §4.3 has these two as operations that give a score.
    assert str(answers.pop("computeConsensus")) == "Consensus!"
    assert str(answers.pop("computeReputation")) == "Reputation!"
    batch = answers.pop("submitBatch")
    # An entry may be null: where the node failed on it, the others are answered all the same.
    assert isinstance(batch, GraphQLNonNull) and isinstance(batch.of_type, GraphQLList)
    assert str(batch) == "[SubmissionResult]!"
    assert str(answers.pop("registerPassport")) == "RecordsResult"
    assert {str(kind) for kind in answers.values()} == {"SubmissionResult"}


def test_every_refusal_has_a_kind_and_a_failure_has_none() -> None:
    for error, status, code, _, kind in ERRORS:
        if kind is None:
            assert code in WITHOUT_KIND and status != 503, error
        else:
            assert status < 500 or status in (503, 507), error
            assert (kind is ProblemKind.LATER) == (status in (429, 503, 507)), error


def test_one_error_is_the_same_problem_at_both_doors() -> None:
    errors = (
        SignatureError("it is not signed by 8a88e3dd"),
        ConflictError("it is already retracted", "@id"),
        InputError("no such class", "boundary"),
        TooManyOpenError("agent x has 3 requests open", "requestingAgent"),
    )
    for error in errors:
        over_http, shown = json.loads(problem_of(error).content), told_problem(error)
        assert shown is not None
        assert (shown.message, shown.code, shown.type) == tuple(over_http[name] for name in ("detail", "code", "type"))
        assert (shown.title, shown.path) == (over_http["title"], over_http.get("path"))
        assert getattr(shown, "retry_after", None) == over_http.get("retryAfter")


def test_what_fails_inside_is_no_result_and_what_is_busy_says_nothing_of_the_inside() -> None:
    assert told_problem(ContentDamagedError("content kept as sha256:0 is sha256:1")) is None
    assert told_problem(GraphError("bolt://10.0.0.7 said no")) is None
    busy = told_problem(StoreUnavailableError("bolt://10.0.0.7 said no"))
    assert busy is not None and "bolt" not in str(vars(busy))
    assert (type(busy).__name__, vars(busy)["retry_after"]) == ("TryLater", 1)
