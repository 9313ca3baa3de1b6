"""The words of our own queries: what is said, apart from comments and space."""

from hypothesis import given
from hypothesis import strategies as st

from cypher.tokens import Sort, said_in, tokens_of

CYPHER = st.text(alphabet=" \n/*'\"`\\$(){}[],.abcDEF_019", max_size=80)


@given(CYPHER)
def test_the_tokens_of_a_query_are_its_text(text: str) -> None:
    assert "".join(token.text for token in tokens_of(text)) == text


@given(CYPHER)
def test_what_is_said_has_no_space_outside_of_quotes(text: str) -> None:
    assert not any(token.text.isspace() for token in said_in(text) if token.sort is not Sort.QUOTED)


def test_parameters_in_texts_and_comments_are_none() -> None:
    text = "RETURN $one, '$two \\' $three', `$four` // $five\n/* $six */ + $seven"
    assert [token.text for token in said_in(text) if token.sort is Sort.PARAMETER] == ["$one", "$seven"]
