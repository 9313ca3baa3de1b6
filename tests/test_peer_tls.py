"""Peers over TLS: connected to is an address that was checked, and the certificate is asked for the name."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from graph.federation.errors import PeerAnswerError
from graph.federation.peer_client import open_peer
from graph.platform import utc_now

NAME = "peer.example"
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello"


def written_certificate(folder: Path) -> Path:
    """Write a certificate for the name alone, with its key; it is its own authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = folder / "peer.pem"
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    return path


class TlsPeer:
    """A server that notes what names it is asked for, in the handshake and in Host; it answers everything alike."""

    def __init__(self, certificate: Path) -> None:
        self.names: list[str | None] = []
        self.hosts: list[str] = []
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)
        self._context.sni_callback = self._note

    def _note(self, socket: Any, name: str | None, context: Any) -> None:
        self.names.append(name)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.hosts += [line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("host:")]
        writer.write(ANSWER)
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def served(self) -> AsyncIterator[int]:
        """Serve it on a free port, and yield that."""
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0, ssl=self._context)
        async with server:
            yield server.sockets[0].getsockname()[1]


@pytest.fixture
def leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every name lead to this machine."""

    async def found(self: Any, host: str, port: int, **options: Any) -> Any:
        return [(2, 1, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", found)


@pytest.mark.usefixtures("leads_here")
async def test_the_certificate_is_that_of_the_name_and_not_of_the_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = written_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    peer = TlsPeer(certificate)
    async with peer.served() as port:
        async with open_peer(f"https://{NAME}:{port}", None, utc_now, 2**20, private=True) as client:
            assert await client.checkpoint() == "hello"
        assert (peer.names, peer.hosts) == ([NAME], [f"{NAME}:{port}"])
        async with open_peer(f"https://other.example:{port}", None, utc_now, 2**20, private=True) as client:
            with pytest.raises(PeerAnswerError):
                await client.checkpoint()
    assert peer.hosts == [f"{NAME}:{port}"]


@pytest.mark.usefixtures("leads_here")
async def test_a_certificate_that_nobody_vouches_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    peer = TlsPeer(written_certificate(tmp_path))
    async with (
        peer.served() as port,
        open_peer(f"https://{NAME}:{port}", None, utc_now, 2**20, private=True) as client,
    ):
        with pytest.raises(PeerAnswerError):
            await client.checkpoint()
    assert peer.hosts == []
