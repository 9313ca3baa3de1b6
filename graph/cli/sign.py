"""`a2ap document sign`: adds a signature to a document, and nothing else."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from a2ap.json_text import read_json
from graph.cli.errors import CommandError
from graph.cli.options import Key, Proof, SignerCommand
from graph.cli.signing import open_key, sign
from graph.cli.terminal import print_document


def sign_file(
    file: Annotated[Path, typer.Argument(help="The document, as JSON; - is standard input.")],
    key: Key,
    replace: Annotated[bool, typer.Option("--replace", help="Replace the signature that is there.")] = False,
    signer: SignerCommand = None,
    proof: Proof = False,
) -> None:
    """Sign a document and print it.

    Only `signature` is added, and `proof` if you ask for it: missing members, the id and content hash among them, are
    an error and not filled in.
    """
    document = read_json(sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes())
    if "signature" in document and not replace:
        raise CommandError(f"{file} has a signature; --replace puts yours in its place")
    print_document(sign(document, open_key(key, signer), proof=proof))
