"""DSSE envelopes: a payload signed as it is, with its type, one JSON object a line (secure-systems-lab/dsse 1.0)."""

import base64
from typing import Any

from a2ap.errors import SignatureError
from a2ap.json_text import read_json, write_json
from a2ap.signing.keys import PublicKey, Signer


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed: type and payload with their lengths, so that neither passes for the other."""
    type_bytes = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(type_bytes), type_bytes, len(payload), payload)


def seal(payload_type: str, payload: bytes, key: Signer, key_id: str) -> bytes:
    """Return the envelope of a payload, signed by one key, without a line feed."""
    signature = key.sign(pre_authentication_encoding(payload_type, payload))
    envelope = {
        "payload": base64.b64encode(payload).decode("ascii"),
        "payloadType": payload_type,
        "signatures": [{"keyid": key_id, "sig": base64.b64encode(signature).decode("ascii")}],
    }
    return write_json(envelope)


def open_envelope(envelope: bytes, payload_type: str, key: PublicKey, key_id: str) -> bytes:
    """Return the payload of an envelope that this key signed. Raises `SignatureError`, `JsonTextError`."""
    members = read_json(envelope, most=len(envelope))
    if members.get("payloadType") != payload_type:
        raise SignatureError(f"the envelope holds {members.get('payloadType')!r}, not {payload_type}")
    payload = _decode(members.get("payload"))
    signatures = members.get("signatures")
    for signature in signatures if isinstance(signatures, list) else ():
        if isinstance(signature, dict) and signature.get("keyid") == key_id:
            key.verify(pre_authentication_encoding(payload_type, payload), _decode(signature.get("sig")))
            return payload
    raise SignatureError(f"the envelope is not signed by {key_id}")


def _decode(text: Any) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (ValueError, TypeError) as error:
        raise SignatureError("the envelope has a member that is not base64") from error
