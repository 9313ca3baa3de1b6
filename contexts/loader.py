"""The document loader: a fixed list of URLs, each a file of this package, and nothing else.

`load_document` has the form that pyld calls (JSON-LD 1.1 API §9.4). It is passed to pyld explicitly in every call;
pyld's own default loader goes to the network.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from contexts.names import A2AP_CONTEXT_URL, DATA_INTEGRITY_CONTEXT_URL

CONTEXT_FILES: Final[Mapping[str, str]] = MappingProxyType(
    {
        A2AP_CONTEXT_URL: "a2ap-v0.1.jsonld",
        DATA_INTEGRITY_CONTEXT_URL: "data-integrity-v2.jsonld",
    }
)


class ContextLoadError(Exception):
    """A requested context is not among `CONTEXT_FILES`; `url` is its URL."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url

    def __str__(self) -> str:
        return f"{self.url} is none of the contexts that come with this package, and contexts are never fetched"


def load_document(url: str, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the context at a URL as the RemoteDocument that pyld expects.

    The URL counts letter by letter: another scheme, a fragment or a further slash is another context. Each caller
    gets its own copy. Raises `ContextLoadError` for every URL that is not in `CONTEXT_FILES`.
    """
    if url not in CONTEXT_FILES:
        raise ContextLoadError(url)
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": url,
        "document": json.loads(_read_file(CONTEXT_FILES[url])),
    }


@cache
def _read_file(name: str) -> str:
    return files("contexts").joinpath(name).read_text(encoding="utf-8")
