"""The pages: every link between them leads to a file and a heading that are there, and the README names each page."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
FRAGMENTS = (*ROOT.glob("changelog.d/*.md"),)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_BLOCK = re.compile(r"^```.*?^```", re.M | re.S)


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return _BLOCK.sub("", page.read_text("utf-8"))


def headings(page: Path) -> set[str]:
    """Return what the headings of a page are called in addresses, as GitHub makes it of their words."""
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


def test_the_readme_names_every_page() -> None:
    linked = set(_LINK.findall(prose(ROOT / "README.md")))
    assert {f"docs/{page.name}" for page in ROOT.glob("docs/*.md")} <= linked


def test_captions_that_were_measured_are_named_with_the_hash_of_their_bytes() -> None:
    page = (ROOT / "docs" / "verification.md").read_text("utf-8")
    named = dict(re.findall(r"^\| `(\S+\.vtt)` \| .+ \| `([0-9a-f]{64})` \|$", page, re.M))
    gate = page.partition("<!-- the gate -->")[2].partition("<!-- end of the gate -->")[0]

    assert set(re.findall(r"^\| (\S+\.vtt) \|", gate, re.M)) == set(named)
    shipped = (ROOT / "graph" / "demo" / "city_council.vtt").read_bytes()
    assert named["city_council.vtt"] == hashlib.sha256(shipped).hexdigest()
