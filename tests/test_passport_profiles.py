"""The forms in which payloads are hashed: every vector, what a form leaves out, and that nothing else is left out."""

import hashlib
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT
from vectors_file import load_vectors

from a2ap.canonical import canonicalize
from a2ap.passport.ecmascript import write_number
from a2ap.passport.errors import NoFormError
from a2ap.passport.hashing import Chaining, chain_hash, hash_payload
from a2ap.passport.json_text import read_value
from a2ap.passport.profile import MAX_PATH, MAX_PATHS, PayloadProfile, covers_all, payload_bytes, uncovered_paths

PAYLOADS = load_vectors("passport_payloads.json")
LITERAL, PYTHON, TYPESCRIPT, V2 = (
    PayloadProfile.V1_LITERAL,
    PayloadProfile.V1_PYTHON,
    PayloadProfile.V1_TYPESCRIPT,
    PayloadProfile.V2,
)

names = st.sampled_from(["input", "output", "memory", "a", "b", "10", "9", "é", "\U0001f600", "！"])
numbers = st.integers(-(2**53) + 1, 2**53 - 1) | st.sampled_from([0.5, 1e-7])
leaves = st.none() | st.booleans() | numbers | st.text(max_size=4)
values = st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4))
payloads = st.dictionaries(names, values, max_size=4)


@pytest.mark.parametrize("vector", PAYLOADS, ids=[vector["name"] for vector in PAYLOADS])
def test_a_payload_has_the_bytes_and_hashes_that_others_have_or_is_refused_as_they_refuse_it(vector: Any):
    payload = read_value(vector["raw_json"].encode()).value
    for form in vector["forms"]:
        for profile in map(PayloadProfile, form["profiles"]):
            assert payload_bytes(profile, payload).hex() == form["utf8_hex"]
            assert hash_payload(profile, payload) == form["sha256"]
        assert f"sha256:{chain_hash(form['sha256'], None)}" == form["root_prefixed"]
        assert chain_hash(form["sha256"], None, Chaining.BARE) == form["root_bare"]
    for profile in map(PayloadProfile, vector["refused"]):
        with pytest.raises(NoFormError):
            payload_bytes(profile, payload)


def test_the_vectors_are_all_there():
    assert len(PAYLOADS) == 41
    for vector in PAYLOADS:
        found = [name for form in vector["forms"] for name in form["profiles"]] + vector["refused"]
        assert sorted(found) == sorted(PayloadProfile)


def test_the_literal_formula_drops_nested_members_and_their_paths_are_named():
    ten = {"input": "transfer", "memory": {"amount": 10, "to": "alice"}}
    million = {"input": "transfer", "memory": {"amount": 1_000_000, "to": "mallory"}}
    assert payload_bytes(LITERAL, ten) == payload_bytes(LITERAL, million) == b'{"input":"transfer","memory":{}}'
    assert uncovered_paths(LITERAL, ten) == ("payload.memory.amount", "payload.memory.to")
    for profile in (PYTHON, TYPESCRIPT, V2):
        assert payload_bytes(profile, ten) != payload_bytes(profile, million)
        assert uncovered_paths(profile, ten) == ()


def test_paths_name_items_and_odd_names():
    payload = {"output": [{"n": 1}, {"output": {"a b": 2}}]}
    assert uncovered_paths(LITERAL, payload) == ("payload.output[0].n", 'payload.output[1].output["a b"]')


def test_typescript_drops_proto_and_rounds_long_integers():
    payload = {"input": "pay", "__proto__": {"amount": 9}, "memory": {"n": 2**53 + 1, "far": float("inf")}}
    assert payload_bytes(TYPESCRIPT, payload) == b'{"input":"pay","memory":{"far":null,"n":9007199254740992}}'
    assert uncovered_paths(TYPESCRIPT, payload) == ("payload.__proto__", "payload.memory.n", "payload.memory.far")
    assert uncovered_paths(PYTHON, payload) == ()


# Run in node: JSON.stringify gets members by name, and so inherited ones.
@pytest.mark.parametrize(
    ("text", "form"),
    [
        ('{"__proto__":1,"a":{"b":1}}', '{"__proto__":1,"a":{"__proto__":{"__proto__":null}}}'),
        ('{"a":{"__proto__":{"a":1},"x":1},"x":{"a":[{"x":1,"y":2}]}}', '{"a":{"x":1},"x":{"a":[{"x":1}]}}'),
        ('[{"0":{"1":5,"2":6},"5":1},3]', '[{"0":{"1":5}},3]'),
    ],
)
def test_the_literal_formula_is_taken_at_its_word(text: str, form: str):
    assert payload_bytes(LITERAL, json.loads(text)).decode() == form


def literal_by_the_formula(value: Any, allowed: list[str]) -> str:
    """Return what ECMA-262 says: for every object, each name that is allowed, in order."""
    if isinstance(value, list):
        return "[" + ",".join(literal_by_the_formula(item, allowed) for item in value) + "]"
    if not isinstance(value, dict):
        return canonicalize(value).decode()
    members = []
    for name in allowed:
        if name in value:
            members.append(f"{canonicalize(name).decode()}:{literal_by_the_formula(value[name], allowed)}")
        elif name == "__proto__":
            members.append('"__proto__":{"__proto__":null}')
    return "{" + ",".join(members) + "}"


@PATIENT
@given(st.dictionaries(names | st.just("__proto__"), values, max_size=5))
def test_the_literal_formula_is_what_going_through_all_allowed_names_gives(payload: dict[str, Any]):
    for one in (payload, {"output": payload, **payload}, [payload, payload]):
        allowed = list(one) if isinstance(one, dict) else [str(index) for index in range(len(one))]
        allowed.sort(key=lambda name: name.encode("utf-16-be"))
        assert payload_bytes(LITERAL, one).decode() == literal_by_the_formula(one, allowed)


class Asked(dict[str, Any]):
    """An object that counts how often it is asked for a name."""

    times = 0

    def __contains__(self, name: object) -> bool:
        Asked.times += 1
        return super().__contains__(name)


def test_the_literal_formula_takes_work_in_proportion_to_the_payload():
    payload = {**{f"n{number}": 0 for number in range(2_000)}, "output": [Asked(a=1, n1=2) for _ in range(2_000)]}
    Asked.times = 0
    assert payload_bytes(LITERAL, payload).count(b'{"n1":2}') == 2_000
    assert Asked.times <= 3 * 2_000


@PATIENT
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_those_of_rfc_8785(number: float):
    assert write_number(number).encode() == canonicalize(number)


@PATIENT
@given(payloads)
def test_what_is_not_covered_is_all_that_may_change(payload: dict[str, Any]):
    for profile in PayloadProfile:
        left = json.loads(payload_bytes(profile, payload))
        if not uncovered_paths(profile, payload):
            assert left == payload
        else:
            assert profile is LITERAL
            assert uncovered_paths(profile, _prune(payload, frozenset(payload))) == ()
            assert left == _prune(payload, frozenset(payload))


@PATIENT
@given(payloads)
def test_the_v2_hash_is_that_of_rfc_8785_for_every_payload(payload: dict[str, Any]):
    assert hash_payload(V2, payload) == hashlib.sha256(canonicalize(payload)).hexdigest()


def test_a_chain_hash_joins_prefixed_or_bare_digits_or_root():
    one, two = "1" * 64, "2" * 64
    assert chain_hash(one, two) == hashlib.sha256(f"sha256:{one}sha256:{two}".encode()).hexdigest()
    assert chain_hash(one, two, Chaining.BARE) == hashlib.sha256(f"{one}{two}".encode()).hexdigest()
    assert chain_hash(one, None) == hashlib.sha256(f"sha256:{one}root".encode()).hexdigest()


def _prune(value: Any, allowed: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {name: _prune(member, allowed) for name, member in value.items() if name in allowed}
    return [_prune(item, allowed) for item in value] if isinstance(value, list) else value


# Run in node: value.toPrecision(17), then what the server's code does with it.
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.10000000000000001"),
        (0.5, "0.5"),
        (-0.25, "-0.25"),
        (1e-06, "9.9999999999999995e-7"),
        (1e-07, "9.9999999999999995e-8"),
        (1.5e-07, "1.4999999999999999e-7"),
        (123456.789, "123456.789"),
        (-2.5e-10, "-2.5000000000000002e-10"),
        (1e-05, "0.000010000000000000001"),
        (0.3333333333333333, "0.33333333333333331"),
        (5e-324, "4.9406564584124654e-324"),
        (4503599627370495.5, "4503599627370495.5"),
        (1e21, "1e+21"),
        (0.30000000000000004, "0.30000000000000004"),
        (5.960464477539063e-08, "5.9604644775390625e-8"),
        (1125899906842624, "1125899906842624"),
        (3.0517578125e-05, "0.000030517578125"),
        (100.5, "100.5"),
        (2.7939677238464355e-09, "2.7939677238464355e-9"),
    ],
)
def test_fractions_under_darkmatter_have_17_digits(number: float, text: str):
    assert payload_bytes(PayloadProfile.V1_DARKMATTER, number).decode() == text


@pytest.mark.parametrize("inner", [[0] * 24_000, [2**60] * 24_000, {str(at): 2**60 for at in range(4_000)}])
def test_a_long_name_around_many_values_costs_no_memory_for_each(inner: Any):
    payload = {"A" * 24_000: inner}
    tracemalloc.start()
    for profile in PayloadProfile:
        found = uncovered_paths(profile, payload)
        assert len(found) <= MAX_PATHS and all(len(path) <= MAX_PATH + 1 for path in found)
        assert covers_all(profile, payload) == (not found)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 16 * 1_048_576
