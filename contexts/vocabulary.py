"""The description of every term of ours, and the SHACL shapes of data that uses them, as files."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

ONTOLOGY: Final[Traversable] = files("contexts").joinpath("a2ap-v0.1.ttl")
SHAPES: Final[Traversable] = files("contexts").joinpath("shapes.ttl")
