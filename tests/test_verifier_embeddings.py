"""The model in numpy gives what its authors publish, and says of a claim only what embeddings can say."""

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_verifier_claims import TRANSCRIPT, claiming

from a2ap.messages.finding import FindingStatus
from graph.models import minilm
from graph.models.errors import ModelError
from graph.models.minilm import MiniLM
from graph.models.word_pieces import encode

VOCABULARY = {
    piece: number
    for number, piece in enumerate(["[UNK]", "[CLS]", "[SEP]", "cafe", "bridge", "##s", "$", "18", ".", "6", "中"])
}


@pytest.fixture(scope="module")
def model() -> MiniLM:
    try:
        return MiniLM.open()
    except ModelError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Cafés", ["cafe", "##s"]),
        ("bridges $18.6", ["bridge", "##s", "$", "18", ".", "6"]),
        ("中bridge\u200b", ["中", "bridge"]),
        ("zebra", ["[UNK]"]),
        ("", []),
    ],
)
def test_text_is_cut_as_the_vocabulary_has_it(text: str, pieces: list[str]) -> None:
    assert encode(text, VOCABULARY, 20) == [VOCABULARY[piece] for piece in ("[CLS]", *pieces, "[SEP]")]


@given(st.text(max_size=200), st.integers(2, 20))
def test_any_text_is_cut_into_no_more_pieces_than_allowed(text: str, most: int) -> None:
    numbers = encode(text, VOCABULARY, most)
    assert len(numbers) <= most
    assert (numbers[0], numbers[-1]) == (VOCABULARY["[CLS]"], VOCABULARY["[SEP]"])


def test_embeddings_are_as_close_as_sentence_transformers_says(model: MiniLM) -> None:
    # The example on the first page of its documentation, computed there with PyTorch.
    texts = ["The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."]

    rows = model.embed(texts)

    expected = np.array([[1.0, 0.6660, 0.1046], [0.6660, 1.0, 0.1411], [0.1046, 0.1411, 1.0]])
    assert np.abs(rows @ rows.T - expected).max() < 1e-4


def test_closeness_shows_what_a_claim_is_about_and_not_that_it_follows(model: MiniLM) -> None:
    from graph.verifier.embedding_judge import EmbeddingJudge

    judge = EmbeddingJudge(model)
    for claim in (
        "The deal is about a dozen bridges and ends in spring.",
        "The deal is about a dozen ships and never ends.",
    ):
        findings = judge.answer(claiming(claim, "The contract covers"), TRANSCRIPT)
        assert findings[1].status is FindingStatus.INCONCLUSIVE
    far = judge.answer(claiming("Dragons guard the northern harbour against wizards."), TRANSCRIPT)
    assert far[0].status is not FindingStatus.PASS


def test_without_the_model_its_absence_is_a_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package")
    with pytest.raises(ModelError, match="make embeddings"):
        MiniLM.open()
