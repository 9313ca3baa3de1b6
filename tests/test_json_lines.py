"""JSON in lines, as pages show it."""

import json

import pytest

from graph.web.json_lines import in_lines, read_json

TEXT = '{"a": [983, 1.10, -0, 1e400, 1E+2], "b": {"c": "é \\ud800", "d": [], "e": {}}, "f": [true, null]}'


def test_numbers_stand_as_they_stand_in_the_text() -> None:
    written = in_lines(read_json(TEXT))
    assert " ".join(written.split()) == (
        '{ "a": [ 983, 1.10, -0, 1e400, 1E+2 ], "b": { "c": "é \\ud800", "d": [], "e": {} }, "f": [ true, null ] }'
    )
    assert written.encode()


@pytest.mark.parametrize("indent", [1, 2])
def test_the_lines_are_those_of_the_standard_library(indent: int) -> None:
    value: dict[str, object] = {"a": [1, {"b": 2.5}], "c": {}, "d": [], "e": None, "f": "x\ny"}
    assert in_lines(read_json(json.dumps(value)), indent) == json.dumps(value, indent=indent)


def test_a_text_that_is_no_json_is_an_error() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        read_json("{a}")
