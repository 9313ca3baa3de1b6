"""A hook of mkdocs: a link that leaves docs/, to a file of the repository, becomes the name of that file."""

import posixpath
import re
from typing import Any

_LINK = re.compile(r"(?<!!)\[([^\]\n]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Return the text of a page without links to files outside of the site."""
    folder = posixpath.dirname(page.file.src_uri)

    def inside(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if not target.startswith("..") and not target.endswith(".grass"):
            return link[0]
        name = target.removeprefix("../") or "the repository"
        return link[1] if name in link[1] else f"{link[1]} (`{name}`)"

    return _LINK.sub(inside, markdown)
