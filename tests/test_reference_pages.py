"""The generated pages of docs/reference are those that the code gives, and all pages are in the navigation."""

import re
from pathlib import Path

import pytest

from pages.__main__ import PAGES, REFERENCE
from pages.settings import read_variables

ROOT = Path(__file__).resolve().parent.parent


def test_the_navigation_has_every_page_once_and_every_decision_is_left_to_their_list() -> None:
    docs = ROOT / "docs"
    pages = {str(path.relative_to(docs)) for path in docs.rglob("*.md") if not path.name.startswith("0")}
    named = re.findall(r"^ +- (?:[\w ]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(named) == sorted(pages) and len(named) > 30


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    assert (REFERENCE / name).read_text(encoding="utf-8") == PAGES[name](), "run `make pages`"


def test_the_page_of_settings_names_each_variable_in_the_text_of_the_settings() -> None:
    source = "".join((ROOT / "graph" / name).read_text(encoding="utf-8") for name in ("settings.py", "environment.py"))
    read = set(re.findall(r'"((?:A2AP|NEO4J|AWS|QDRANT)_[A-Z0-9_]+)"', source))
    assert set(read_variables()) == read
    of_clients = {"A2AP_URL", "A2AP_TOKEN", "A2AP_KEY", "A2AP_KEY_PASSPHRASE", "A2AP_SIGNER", "A2AP_MCP_TOKEN"}
    of_compose = {"A2AP_BIND"}
    page = (REFERENCE / "settings.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`((?:A2AP|NEO4J|AWS|QDRANT)_[A-Z0-9_]+)`", page)) == read | of_clients | of_compose
