"""The names of contexts in documents: their URLs, and the one that A2AP writes inline."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

# A2AP §2.2 and §2.3; nothing is served there, which is why the file is here.
A2AP_CONTEXT_URL: Final = "https://williams-librarian.njit.edu/a2ap/v0.1"

# A2AP §2.1, as printed. It stands for the same mapping as the URL: read literally, it would turn every key into a
# term of schema.org, and schema.org has next to none of them.
A2AP_INLINE_CONTEXT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "@vocab": "https://schema.org/",
        "prov": "http://www.w3.org/ns/prov#",
        "a2ap": "https://williams-librarian.njit.edu/a2ap/v0.1#",
    }
)

DATA_INTEGRITY_CONTEXT_URL: Final = "https://w3id.org/security/data-integrity/v2"
