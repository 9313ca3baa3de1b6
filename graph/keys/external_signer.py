"""A key that stays with an external command: bytes go in, a signature comes out (docs/decisions/0010).

The command is run once for each signature, without a shell. It gets the bytes to sign on standard input and writes the
64 bytes of an Ed25519 signature to standard output, raw or in base64. With `--public-key` behind its other arguments it
writes its public key, `did:key:…` or base64. Every signature is checked under the stated public key before it is used.
Other output of the command is never shown: it may contain anything.
"""

import base64
import binascii
import shlex
import subprocess
from dataclasses import dataclass, field

from a2ap.errors import KeyFormatError, SignatureError
from a2ap.signing.keys import SIGNATURE_BYTES, PublicKey, Signer
from graph.errors import SignerError

TIMEOUT = 30.0
"""Maximum seconds for a signature: a person may have to touch a token."""

_MAX_ANSWER = 1024  # bytes


@dataclass(frozen=True, slots=True)
class ExternalSigner:
    """Signs with a command; `public_key` is the key under which its signatures must verify."""

    command: tuple[str, ...] = field(repr=False)
    public_key: PublicKey
    timeout: float = TIMEOUT

    def sign(self, message: bytes, /) -> bytes:
        """Return the signature that the command makes. Raises `SignerError` if it makes none that holds."""
        signature = _signature(_run(self.command, message, self.timeout), self.command[0])
        try:
            self.public_key.verify(message, signature)
        except SignatureError as error:
            raise SignerError(f"{self.command[0]} does not sign with {self.public_key.did_key}") from error
        return signature


def open_signer(command: str, public_key: PublicKey | None = None, timeout: float = TIMEOUT) -> Signer:
    """Return the signer of a command line; without a public key the command is asked for its own.

    Raises `SignerError`.
    """
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise SignerError(f"the signer's command line cannot be read: {error}") from error
    if not words:
        raise SignerError("the signer's command line is empty")
    return ExternalSigner(words, public_key or _ask_public_key(words, timeout), timeout)


def _ask_public_key(command: tuple[str, ...], timeout: float) -> PublicKey:
    answer = _run((*command, "--public-key"), b"", timeout)
    try:
        return PublicKey.parse(answer.decode("ascii").strip())
    except (UnicodeDecodeError, KeyFormatError) as error:
        raise SignerError(f"{command[0]} --public-key does not answer with an Ed25519 public key") from error


def _run(command: tuple[str, ...], data: bytes, timeout: float) -> bytes:
    try:
        ended = subprocess.run(command, input=data, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        # Its text is the whole command line, in which there may be a secret.
        raise SignerError(f"{command[0]} did not sign within {timeout:g} seconds") from None
    except OSError as error:
        raise SignerError(f"{command[0]} cannot be run: {error.strerror}") from error
    if ended.returncode != 0:
        raise SignerError(f"{command[0]} ended with status {ended.returncode}")
    if len(ended.stdout) > _MAX_ANSWER:
        raise SignerError(f"{command[0]} answered with {len(ended.stdout)} bytes, which is no signature")
    return ended.stdout


def _signature(answer: bytes, name: str) -> bytes:
    if len(answer) == SIGNATURE_BYTES:
        return answer
    try:
        signature = base64.b64decode(answer.strip(), validate=True)
    except (binascii.Error, ValueError):
        signature = b""
    if len(signature) != SIGNATURE_BYTES:
        raise SignerError(f"{name} answered with {len(answer)} bytes, which is no signature")
    return signature
