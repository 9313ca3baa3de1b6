"""The order of answers."""

from graph.demo.ranking import rank

HOMES = "The Planning Director said: “The zoning change allows 420 homes next to the rail station on Foundry Street.”"
AGAIN = "The Planning Director said: “The zoning change allows 420 homes next to the rail station on Mill Road.”"
VOTE = "The Council President said: “The zoning change is approved on first reading, 5 to 2.”"
ITEM = "On item 3, the zoning map change, the Resident said: “My house will be in the shade on winter afternoons.”"
CALL = "The Council President said: “Item 3 is the zoning map change.”"
PLOWS = "The Public Works Director said: “The plan buys 5 plows for next winter.”"


def ranked(claims: list[str], verified: list[bool] | None = None, topic: str = "zoning") -> list[str]:
    return [claims[place] for place in rank(topic, claims, verified or [True] * len(claims))]


def test_claims_about_something_else_are_left_out() -> None:
    assert ranked([PLOWS, HOMES]) == [HOMES]


def test_where_no_claim_has_the_words_all_are_shown() -> None:
    assert ranked([PLOWS], topic="Winterdienst") == [PLOWS]


def test_verified_claims_come_first() -> None:
    assert ranked([HOMES, VOTE], [False, True])[0] == VOTE
    assert ranked([HOMES, VOTE], [True, False])[0] == HOMES


def test_the_words_of_the_speaker_count_more_than_the_name_of_the_item() -> None:
    assert ranked([ITEM, HOMES]) == [HOMES, ITEM]


def test_a_repetition_comes_after_something_new() -> None:
    assert ranked([HOMES, AGAIN, VOTE]).index(VOTE) < 2


def test_the_call_of_an_item_tells_nothing_new() -> None:
    assert ranked([CALL, ITEM, HOMES])[-1] == CALL


def test_nothing_is_ranked_as_nothing() -> None:
    assert rank("zoning", [], []) == ()
