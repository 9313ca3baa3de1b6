"""The pages: every link between them leads to a file and a heading that are there, and the index names each page."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
DOCS = ROOT / "docs"
FRAGMENTS = (*ROOT.glob("changelog.d/*.md"),)
MOST_BYTES = 150_000  # of a picture
PICTURES = DOCS / "pictures"
_PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^```.*?^```", re.M | re.S)


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return _BLOCK.sub("", page.read_text("utf-8"))


def headings(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub makes them."""
    found: dict[str, int] = {}
    for line in re.findall(r"^#+ (.*)$", prose(page), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line.strip().lower())
        name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return {f"{name}-{number}" if number else name for name, count in found.items() for number in range(count)}


def broken(page: Path, folder: Path) -> Iterator[str]:
    """Yield the links of a page that lead nowhere; they are read as from `folder`."""
    for target in _LINK.findall(prose(page)):
        if "://" in target:
            continue
        name, _, heading = target.partition("#")
        file = folder / name if name else page
        if not file.exists() or (heading and heading not in headings(file)):
            yield f"{page.relative_to(ROOT)}: {target}"


def test_every_link_of_a_page_leads_to_a_file_and_heading_that_are_there() -> None:
    assert len(PAGES) > 100
    assert [link for page in PAGES for link in broken(page, page.parent)] == []


def test_every_link_of_a_fragment_will_lead_somewhere_in_the_changelog() -> None:
    assert [link for page in FRAGMENTS for link in broken(page, ROOT)] == []


def test_every_picture_is_shown_with_words_for_readers_who_do_not_see_it() -> None:
    shown = [(page, words, target) for page in PAGES for words, target in _PICTURE.findall(prose(page))]
    assert [f"{page.name}: {target}" for page, words, target in shown if len(words.split()) < 5] == []
    files = {(page.parent / target).resolve() for page, _, target in shown}
    assert set(PICTURES.iterdir()) <= files and all(file.is_file() for file in files)
    assert [file.name for file in PICTURES.iterdir() if file.stat().st_size > MOST_BYTES] == []


SECTIONS = ("tutorial", "how-to", "reference", "explanation")


def test_the_index_names_every_page_once_and_the_readme_each_kind_of_page() -> None:
    pages = sorted(f"{section}/{page.name}" for section in SECTIONS for page in (DOCS / section).glob("*.md"))
    linked = [target for target in _LINK.findall(prose(DOCS / "index.md")) if target.startswith(SECTIONS)]
    assert sorted(linked) == pages and len(pages) > 30
    assert {path.name for path in DOCS.iterdir() if path.is_dir()} == {*SECTIONS, "decisions", "pictures"}
    assert {path.name for path in DOCS.glob("*.md")} == {"index.md"}

    readme = ROOT / "README.md"
    assert all(
        any(target.startswith(f"docs/{section}/") for target in _LINK.findall(prose(readme))) for section in SECTIONS
    )
    assert len(readme.read_text("utf-8").splitlines()) <= 200


THREATS = (
    "instruction laundering",
    "stale authority",
    "boundary leakage",
    "false completeness",
    "epistemic drift",
    "memory poisoning",
    "false closure",
    "delivery repudiation",
)
"""The threat classes of Context Packet §17.1."""


def test_the_threat_model_names_tests_that_are_there_and_each_threat_class_of_packets() -> None:
    page = (ROOT / "docs" / "explanation" / "threat-model.md").read_text("utf-8")
    packets = page.partition("## Context Packets\n")[2]
    functions = set(
        re.findall(r"^def (test_\w+)", (ROOT / "tests" / "test_packet_threats.py").read_text("utf-8"), re.M)
    )
    attacks = [line.split(" | ") for line in page.replace(packets, "").splitlines() if line.count("|") == 5]
    attacks = [row for row in attacks if row[0] not in ("| attack", "|---|---|---|---|")]
    assert len(attacks) > 50
    without_test = [row[0] for row in attacks if not re.search(r"`test_\w+\.py`", row[2])]
    assert without_test == ["| a time of the year 9999, a name that looks like another one"], "both are taken"
    assert [name for name in re.findall(r"`(test_\w+\.py)`", page) if not (ROOT / "tests" / name).exists()] == []

    rows = dict(re.findall(r"^\| ([\w ]+) \| [^|]+ \| ((?:`test_\w+`(?:, )?)+) \| [^|]+ \|$", packets, re.M))
    assert tuple(rows) == THREATS
    for threat, tests in rows.items():
        named = re.findall(r"`(\w+)`", tests)
        assert set(named) <= functions and all(one.startswith(f"test_{threat.replace(' ', '_')}_") for one in named)


def test_captions_that_were_measured_are_named_with_the_hash_of_their_bytes() -> None:
    page = (ROOT / "docs" / "how-to" / "verification.md").read_text("utf-8")
    named = dict(re.findall(r"^\| `(\S+\.vtt)` \| .+ \| `([0-9a-f]{64})` \|$", page, re.M))
    gate = page.partition("<!-- the gate -->")[2].partition("<!-- end of the gate -->")[0]

    assert set(re.findall(r"^\| (\S+\.vtt) \|", gate, re.M)) == set(named)
    shipped = (ROOT / "graph" / "demo" / "city_council.vtt").read_bytes()
    assert named["city_council.vtt"] == hashlib.sha256(shipped).hexdigest()
