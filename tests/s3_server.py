"""An S3 service for the tests: versitygw, a server on a folder, built with Go once and kept outside the project."""

import hashlib
import hmac
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
from go_tool import NoGoError, find_go

VERSION = "v1.8.0"
MODULE = "github.com/versity/versitygw/cmd/versitygw"
ACCESS_KEY, SECRET_KEY, REGION = "any", "thing", "us-east-1"
WHERE = "the tests look for an S3 service at A2AP_TEST_S3_URL, then for Go and its modules behind GOPROXY to build one"


class NoS3Error(Exception):
    """There is no S3 service to test with; the message says why."""


@contextmanager
def s3_server(folder: Path) -> Iterator[str]:
    """Run a service on a folder and yield its URL; raises `NoS3Error`."""
    program = build_server()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept, said = folder / "objects", folder / "said"
    kept.mkdir()
    (folder / "sidecar").mkdir()
    with said.open("wb") as output:
        # Beside the objects, because not every file system keeps attributes.
        where = ["posix", "--sidecar", str(folder / "sidecar"), str(kept)]
        command = [str(program), "--port", f"127.0.0.1:{port}", *where]
        keys = {"ROOT_ACCESS_KEY": ACCESS_KEY, "ROOT_SECRET_KEY": SECRET_KEY}
        server = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **keys})
    try:
        url = f"http://127.0.0.1:{port}"
        _wait(url, server, said)
        yield url
    finally:
        server.kill()
        server.wait()


def make_bucket(url: str, name: str) -> None:
    """Make a bucket; the request is signed as AWS says (Signature Version 4), whose host is part of what is signed."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    nothing = hashlib.sha256(b"").hexdigest()
    signed = {"host": httpx.URL(url).netloc.decode(), "x-amz-content-sha256": nothing, "x-amz-date": now}
    lines = "".join(f"{header}:{value}\n" for header, value in signed.items())
    request = f"PUT\n/{name}\n\n{lines}\n{';'.join(signed)}\n{nothing}"
    scope = f"{now[:8]}/{REGION}/s3/aws4_request"
    text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    key = f"AWS4{SECRET_KEY}".encode()
    for part in [*scope.split("/"), text]:
        key = hmac.digest(key, part.encode(), "sha256")
    proof = f"Credential={ACCESS_KEY}/{scope}, SignedHeaders={';'.join(signed)}, Signature={key.hex()}"
    headers = {**signed, "authorization": f"AWS4-HMAC-SHA256 {proof}"}
    httpx.put(f"{url}/{name}", headers=headers, trust_env=False).raise_for_status()


def _wait(url: str, server: subprocess.Popen[bytes], said: Path) -> None:
    deadline = time.monotonic() + 120
    while True:
        try:
            httpx.get(url, trust_env=False)
            return
        except httpx.TransportError as error:
            if server.poll() is not None or time.monotonic() > deadline:
                raise NoS3Error(f"versitygw does not start: {said.read_text()[-500:]}") from error
            time.sleep(0.1)


def build_server() -> Path:
    """Return the built server; it appears whole, also for two runs at once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "a2ap-tests" / f"versitygw-{VERSION}"
    program = cache / "versitygw"
    if program.is_file():
        return program
    try:
        go = find_go()
    except NoGoError as error:
        raise NoS3Error(f"{error}; {WHERE}") from error
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as work:
        # It asks for a newer Go than some systems have: from 1.21 on Go fetches that itself.
        environment = {**os.environ, "GOBIN": work, "GOTOOLCHAIN": "auto"}
        built = subprocess.run([go, "install", f"{MODULE}@{VERSION}"], env=environment, capture_output=True, text=True)
        if built.returncode:
            raise NoS3Error(f"Go does not build versitygw: {built.stderr.strip()[-500:]}; {WHERE}")
        shutil.move(Path(work) / "versitygw", program)
    return program
