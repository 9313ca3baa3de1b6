"""Handing in records of other formats through GraphQL: each as its text, so that its bytes survive."""

import base64
import binascii
from collections.abc import Sequence

from a2ap.record_registration import RecordFormat
from graph.errors import InputError
from graph.graphql.context import Info
from graph.graphql.log_entry import Receipt
from graph.http.records import parse_boundary
from graph.records.intake import register_received, register_signed


async def register_records(
    info: Info,
    format: RecordFormat,
    contents: Sequence[bytes],
    boundary: str | None,
    registration: str | None,
    blobs: Sequence[bytes] = (),
) -> list[Receipt]:
    """Register records under an agent's own registration, or by the node, strictly unless a class is given."""
    platform, reader = info.context.platform, info.context.reader
    if registration is not None:
        if len(contents) != 1:
            raise InputError(f"a registration is of one record, and there are {len(contents)}", "registration")
        signed = registration.encode("utf-8", "replace")
        return [Receipt.from_receipt(await register_signed(platform, signed, contents[0], format, blobs))]
    stated = None if boundary is None else parse_boundary(boundary)
    receipts = await register_received(platform, reader, format, contents, stated, blobs)
    return [Receipt.from_receipt(one) for one in receipts]


def decode_contents(contents: Sequence[str]) -> list[bytes]:
    """Return contents that are given in base64. Raises `InputError`."""
    try:
        return [base64.b64decode(content, validate=True) for content in contents]
    except (binascii.Error, ValueError) as error:
        raise InputError("it is not base64", "contents") from error
