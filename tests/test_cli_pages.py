"""The pages that a command asks for one after another."""

from graph.cli.pages import Page, walk_pages


def test_all_pages_are_of_the_size_of_the_log_that_the_first_one_has() -> None:
    asked: list[tuple[int | None, str | None]] = []

    def read(as_of: int | None, after: str | None) -> Page:
        asked.append((as_of, after))
        place = {"hasNextPage": len(asked) < 3, "endCursor": str(len(asked))}
        return {"asOf": 7 if as_of is None else as_of, "items": {"nodes": [len(asked)], "pageInfo": place}}

    assert [page["items"]["nodes"] for page in walk_pages(read, "items")] == [[1], [2], [3]]
    assert asked == [(None, None), (7, "1"), (7, "2")]
