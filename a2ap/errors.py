"""The errors that the protocol raises for its input; programming errors stay `ValueError` or `TypeError`.

A2APError
├── MessageError            a document that is not a message; `path` is the member at fault
│   ├── JsonTextError       not strict JSON: encoding, duplicate names, NaN, lone surrogates, size, depth
│   ├── ContextError        a JSON-LD context or keyword that could change the meaning of signed text
│   │   └── VersionError    the document is in a version of A2AP that is not supported
│   ├── TypeNameError       an unknown `@type`
│   ├── FieldError          a member is missing, of another type, out of range or badly written
│   ├── StatementIdError    the id of a statement is not one that its author may give it
│   ├── ContentHashError    `contentHash` is not the hash of the claim and its evidence
│   └── DisclosureError     a disclosed text is not the one that was signed
├── SignatureError          a signature does not hold
├── RecordTextError         bytes are not a record of their declared format
├── ExpansionError          the expansion of a message gives other triples than `a2ap.rdf.provenance`
├── KeyFormatError          a text or file is not a key
├── BundleError             a bundle does not hold; the message names the place
├── FrameError              no data frame can be made of a query or of its answer
├── ScopeError              a name is not one that the log it comes from may use
└── LogError                a transparency log, or a text about it, is invalid
    ├── LogFormatError      not a note, checkpoint, tile, entry or proof in its one form
    ├── NoteError           a note is signed by none of the keys, or a signature on it does not hold
    ├── ProofError          an inclusion or consistency proof does not lead to the root
    ├── WitnessError        too few of the witnesses of a policy have cosigned
    ├── SuccessionError     a log key is not the one that the keys before it handed the log to
    └── EquivocationError   two checkpoints do not show that their log contradicts itself
"""


class A2APError(Exception):
    """Base of the protocol's errors."""


class MessageError(A2APError):
    """A document that is not a message.

    `path` names the member at fault (`claim.confidence`, `evidence[0].byteRange`; empty for the whole
    document); `problem` is the rest of the sentence (`is 1.2, not a number from 0 to 1`).
    """

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(path, problem)
        self.path = path
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.path or 'the document'} {self.problem}"


class JsonTextError(MessageError):
    """The bytes are not strict JSON within the limits of `a2ap.json_text`."""


class ContextError(MessageError):
    """A context other than those of A2AP §2, or a JSON-LD keyword at a place where none is allowed."""


class VersionError(ContextError):
    """The document is in a version of A2AP that is not supported."""


class TypeNameError(MessageError):
    """The `@type` of the document is none of the message types."""


class FieldError(MessageError):
    """A member is missing, of another type, out of range or badly written."""


class StatementIdError(MessageError):
    """The id of a statement is not derived as in A2AP Appendix A, nor free to choose."""


class ContentHashError(MessageError):
    """`claim.contentHash` is not the hash of the claim and its evidence under any known rule."""


class DisclosureError(MessageError):
    """A disclosed text does not belong to the digest that was signed, or to none."""


class SignatureError(A2APError):
    """A signature does not hold."""


class KeyFormatError(A2APError):
    """A text or a file is not an Ed25519 key in a supported form."""


class FrameError(A2APError):
    """No data frame can be made of a query or of its answer, or the library that makes it is not installed."""


class ScopeError(A2APError):
    """A name is not one that the log it comes from may use."""


class LogError(A2APError):
    """A transparency log, or a text about it, is invalid."""


class LogFormatError(LogError):
    """A text or bytes that are not a note, checkpoint, tile, entry or proof in its one form."""


class NoteError(LogError):
    """A note is signed by none of the keys, or a known key's signature on it does not hold."""


class ProofError(LogError):
    """An inclusion or consistency proof does not lead to the root hash."""


class WitnessError(LogError):
    """Too few of the witnesses of a policy have cosigned a checkpoint."""


class SuccessionError(LogError):
    """A log key is not the one to which the keys before it handed the log."""


class EquivocationError(LogError):
    """Two checkpoints do not show that their log contradicts itself."""


class RecordTextError(A2APError):
    """The bytes are not a record of their declared format: a passport, a pack, a packet."""


class ExpansionError(A2APError):
    """The JSON-LD expansion of a message gives other triples than `a2ap.rdf.provenance`."""


class BundleError(A2APError):
    """A bundle does not hold; the message names the place and the fault."""
