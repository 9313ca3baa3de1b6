"""The text of a platform's refusal of a command's request."""

import httpx


def detail_of(response: httpx.Response) -> str:
    """Return the `detail` of a problem in JSON; otherwise the name of the status."""
    try:
        return str(response.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return response.reason_phrase
