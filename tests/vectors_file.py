"""Reading the vectors beside the tests."""

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent / "vectors"


def load_vectors(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))
