"""Explains in sentences why an agent's verdicts weigh less than others: copies and coalitions that an epoch found."""

from collections.abc import Iterable, Iterator

from a2ap.messages.epoch import Estimate


def discounts_of(estimates: Iterable[Estimate]) -> str:
    """Return a sentence for each criterion under which the weight is reduced; "" if there is none."""
    return " ".join(_sentence(one) for one in estimates if one.independence < 1.0)


def _sentence(one: Estimate) -> str:
    reasons = ", and ".join(_reasons(one))
    weight = f"Under {one.criterion} its verdicts weigh {one.independence:.4f} of what they would"
    return f"{weight}: {reasons}." if reasons else f"{weight}."


def _reasons(one: Estimate) -> Iterator[str]:
    if one.copied is not None:
        yield (
            f"of {one.copied.both} claims that {one.copies} has judged as well it differs on {one.copied.differed}, "
            f"where {one.copied.expected:.1f} are to be expected"
        )
    elif one.copies is not None:
        yield f"it repeats {one.copies}"
    if one.coalition is not None:
        yield f"gold tells that it lies together with others, which takes {one.coalition:.4f}"
