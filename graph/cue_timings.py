"""When the bytes of a caption file are said: what the machine's check compares cue times with."""

from graph.demo.captions import CaptionKind, caption_kind, read_captions
from graph.demo.errors import CaptionError
from graph.machine_check import CueTiming


def cue_timings(document: bytes) -> tuple[CueTiming, ...] | None:
    """Return the timed cues of a WebVTT or SubRip file in the order of their bytes; None for any other document."""
    if caption_kind(document) is CaptionKind.TEXT:
        return None
    try:
        cues = read_captions(document)
    except CaptionError:
        return None
    return tuple(
        CueTiming(cue.start, cue.end, cue.start_ms, cue.end_ms)
        for cue in sorted(cues, key=lambda cue: cue.start)
        if cue.start_ms is not None and cue.end_ms is not None
    )
