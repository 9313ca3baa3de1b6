"""A crowd: the labels that workers gave to items, and the truth, read from a pair of CSV files."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graph.inference.label_set import LabelSet

UNKNOWN = -1  # the truth of an item of which the truth file says nothing


class CrowdError(Exception):
    """A file is not a label file or not a truth file; the message names the file and the place."""


@dataclass(frozen=True, slots=True, eq=False)
class Crowd:
    """Labels and truth as numbers; `items`, `workers` and `names` (of the labels) hold the strings of the numbers.

    `unlabelled` counts the items of the truth file that have no label, `repeated` the lines of the label file that
    duplicate another line: neither is in any figure.
    """

    items: tuple[str, ...]
    workers: tuple[str, ...]
    names: tuple[str, ...]
    item: NDArray[np.int64]
    worker: NDArray[np.int64]
    label: NDArray[np.int64]
    truth: NDArray[np.int64]  # a label an item, or UNKNOWN
    unlabelled: int = 0
    repeated: int = 0

    @property
    def known(self) -> NDArray[np.int64]:
        """Return the items whose truth is known."""
        return np.flatnonzero(self.truth != UNKNOWN)

    @property
    def label_set(self) -> LabelSet:
        """Return the labels as the inference takes them, without the truth."""
        return LabelSet(
            items=len(self.items),
            workers=len(self.workers),
            labels=len(self.names),
            item=self.item,
            worker=self.worker,
            label=self.label,
        )


def read_crowd(labels: Path, truth: Path) -> Crowd:
    """Read `item,worker,label` and `item,truth`; raises `CrowdError`. Identifiers and labels are any strings.

    An item without truth helps to judge the workers and counts in no accuracy. A repeated line counts once; if a worker
    gave an item two different labels, both count.
    """
    lines = list(_rows(labels, ("item", "worker", "label")))
    if not lines:
        raise CrowdError(f"{labels} holds no labels")
    rows = list(dict.fromkeys(lines))
    answers = _read_truth(truth)
    items = tuple(sorted({row[0] for row in rows}))
    workers = tuple(sorted({row[1] for row in rows}))
    names = tuple(sorted({row[2] for row in rows} | {answers[item] for item in items if item in answers}))
    number = {name: place for place, name in enumerate(names)}
    found = Crowd(
        items=items,
        workers=workers,
        names=names,
        item=_numbers([row[0] for row in rows], items),
        worker=_numbers([row[1] for row in rows], workers),
        label=_numbers([row[2] for row in rows], names),
        truth=np.array([number[answers[item]] if item in answers else UNKNOWN for item in items], dtype=np.int64),
        unlabelled=len(answers.keys() - set(items)),
        repeated=len(lines) - len(rows),
    )
    if not len(found.known):
        raise CrowdError(f"{truth} says the truth of none of the items in {labels}")
    return found


def write_labels(crowd: Crowd, path: Path) -> None:
    """Write the labels as a CSV file of `item,worker,label`."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("item", "worker", "label"))
        for item, worker, label in zip(crowd.item.tolist(), crowd.worker.tolist(), crowd.label.tolist(), strict=True):
            writer.writerow((crowd.items[item], crowd.workers[worker], crowd.names[label]))


def with_workers(
    crowd: Crowd,
    *,
    workers: tuple[str, ...],
    item: NDArray[np.int64],
    worker: NDArray[np.int64],
    label: NDArray[np.int64],
) -> Crowd:
    """Return the same items with the labels of other workers."""
    return replace(crowd, workers=workers, item=item, worker=worker, label=label)


def _read_truth(path: Path) -> dict[str, str]:
    answers: dict[str, str] = {}
    for item, answer in _rows(path, ("item", "truth")):
        if answers.setdefault(item, answer) != answer:
            raise CrowdError(f"{path} says of item {item!r} that it is {answers[item]!r} and {answer!r}")
    return answers


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the named columns, in any order of the file's columns; raises `CrowdError`."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = [name.strip() for name in next(reader, [])]
            if missing := [name for name in columns if name not in header]:
                raise CrowdError(f"{path} has no column {missing[0]!r}; its first line is {','.join(header)!r}")
            places = [header.index(name) for name in columns]
            for row in reader:
                if row:
                    yield _cells(row, places, path, reader.line_num)
    except OSError as error:
        raise CrowdError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CrowdError(f"{path} is no UTF-8: byte {error.start}") from error
    except csv.Error as error:
        raise CrowdError(f"{path} is no CSV: {error}") from error


def _cells(row: Sequence[str], places: Sequence[int], path: Path, line: int) -> tuple[str, ...]:
    cells = tuple(row[place] if place < len(row) else "" for place in places)
    if "" in cells:
        raise CrowdError(f"{path} has an empty cell in line {line}")
    return cells


def _numbers(values: Sequence[str], names: Sequence[str]) -> NDArray[np.int64]:
    place = {name: number for number, name in enumerate(names)}
    return np.fromiter((place[value] for value in values), dtype=np.int64, count=len(values))
