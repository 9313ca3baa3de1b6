"""Writes the generated pages of docs/reference; a test compares them with the code."""

from pathlib import Path

from pages.graphql_fields import graphql_page
from pages.problems import problems_page
from pages.settings import settings_page

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"

PAGES = {"settings.md": settings_page, "problems.md": problems_page, "graphql-fields.md": graphql_page}
"""Each generated page by its file name, with the function that returns its text."""


if __name__ == "__main__":
    for name, page in PAGES.items():
        (REFERENCE / name).write_text(page(), encoding="utf-8")
