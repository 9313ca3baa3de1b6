"""The parts of a batch, each of which is written in a transaction."""

import pytest
from builders import signed_registration

from a2ap.messages.message import read_message
from graph.submission.parts import parts_of
from graph.submission.submission import Submission


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(1, [1]), (250, [250]), (251, [125, 126]), (375, [125, 250]), (1000, [125, 250, 250, 250, 125])],
)
def test_nothing_is_written_before_a_part_is_planned_so_the_first_of_several_is_small(
    count: int, sizes: list[int]
) -> None:
    batch = [Submission(read_message(signed_registration(1)))] * count
    parts = parts_of(batch)
    assert [len(part) for part in parts] == sizes
    assert [submission for part in parts for submission in part] == batch
