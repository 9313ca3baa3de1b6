"""HTTP clients in parallel: `python -m bench.clients URL CLIENTS REQUESTS`, the body on standard input."""

import asyncio
import json
import sys
import time

import httpx


async def crowd(url: str, clients: int, requests: int, body: bytes) -> float:
    """Send the body `requests` times in all from `clients` parallel clients; return requests per second."""
    left = iter(range(requests))
    headers = {"content-type": "application/json"}

    async def client() -> None:
        async with httpx.AsyncClient(timeout=60) as session:
            for _ in left:
                answer = await session.post(url, content=body, headers=headers)
                answer.raise_for_status()
                if "errors" in answer.json():
                    raise SystemExit(answer.text[:500])

    started = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return requests / (time.perf_counter() - started)


if __name__ == "__main__":
    rate = asyncio.run(crowd(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.stdin.buffer.read()))
    print(json.dumps(rate))
