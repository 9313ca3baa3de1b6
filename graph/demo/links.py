"""Links from a claim to the moment in the recording, or to the bytes in the source."""

from urllib.parse import parse_qs, quote, urlsplit

from graph.demo.errors import DemoError


def check_media(url: str) -> None:
    """Raise DemoError unless the address of a recording is an http or https address without spaces and `<>"`."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or any(c.isspace() or c in '<>"' for c in url):
        raise DemoError(f"--media is {url!r}, not an http or https address")


def youtube_id(url: str) -> str | None:
    """Return the id of a YouTube video, None for other addresses."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.").removeprefix("m.")
    if host == "youtu.be":
        return parts.path.strip("/").split("/")[0] or None
    if host == "youtube.com":
        return next(iter(parse_qs(parts.query).get("v", [])), None)
    return None


def moment(media: str, start_ms: int) -> str:
    """Return the address that starts a recording at a time, floored to the second."""
    seconds = start_ms // 1000
    video = youtube_id(media)
    if video is not None:
        return f"https://youtu.be/{quote(video, safe='')}?t={seconds}"
    # Media Fragments URI 1.0: the temporal dimension.
    return f"{urlsplit(media)._replace(fragment='').geturl()}#t={seconds}"


def statement_address(base_url: str, statement_id: str) -> str:
    """Return the address of a statement on a platform."""
    return f"{base_url.rstrip('/')}/statements/{statement_id}"


def passage_address(base_url: str, document_hash: str, start: int, end: int) -> str:
    """Return the address of a source on a platform, with the half-open byte range as its fragment."""
    return f"{base_url.rstrip('/')}/sources/{document_hash}#bytes={start}-{end}"
