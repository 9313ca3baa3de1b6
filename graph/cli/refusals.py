"""What a platform says when it refuses what a command asked for."""

import httpx


def detail_of(response: httpx.Response) -> str:
    """Return what was found, of a problem in JSON; otherwise what the status is called."""
    try:
        return str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return response.reason_phrase
