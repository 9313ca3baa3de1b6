"""JSON-LD contexts as files, and the loader that serves them and refuses every other URL.

A document loader that follows links lets a document decide where we connect, and lets the server there decide the
meaning of a signed key. So there is no network here: a context is one of the files beside this one, or it is an error.
"""

from contexts.loader import CONTEXT_FILES, ContextLoadError, load_document
from contexts.names import A2AP_CONTEXT_URL, A2AP_INLINE_CONTEXT, DATA_INTEGRITY_CONTEXT_URL
from contexts.vocabulary import ONTOLOGY, SHAPES

__all__ = [
    "A2AP_CONTEXT_URL",
    "A2AP_INLINE_CONTEXT",
    "CONTEXT_FILES",
    "DATA_INTEGRITY_CONTEXT_URL",
    "ONTOLOGY",
    "SHAPES",
    "ContextLoadError",
    "load_document",
]
