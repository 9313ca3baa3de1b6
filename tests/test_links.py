"""Links into recordings."""

import pytest

from graph.demo.errors import DemoError
from graph.demo.links import check_media, moment, youtube_id


@pytest.mark.parametrize(
    ("media", "address"),
    [
        ("https://youtu.be/aBc_-12", "https://youtu.be/aBc_-12?t=75"),
        ("https://youtu.be/aBc?si=tracking", "https://youtu.be/aBc?t=75"),
        ("https://www.youtube.com/watch?v=aBc&list=x", "https://youtu.be/aBc?t=75"),
        ("https://city.example/meeting.mp4#old", "https://city.example/meeting.mp4#t=75"),
    ],
)
def test_a_moment_is_where_the_recording_starts_to_play(media: str, address: str) -> None:
    assert moment(media, 75_999) == address


def test_other_hosts_have_no_video_id() -> None:
    assert youtube_id("https://youtu.be.example/abc") is None
    assert youtube_id("https://youtu.be/") is None


@pytest.mark.parametrize(
    "media", ["javascript:alert(1)", "youtu.be/abc", "https://", "https://a.example/ b", "file:///etc"]
)
def test_what_no_browser_should_open_is_refused(media: str) -> None:
    with pytest.raises(DemoError, match="not an http or https address"):
        check_media(media)
