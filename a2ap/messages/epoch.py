"""Epochs: how reliable the verifiers were found to be at one size of the log (docs/explanation/consensus.md).

The numbers are in the message, so that every computation of a score uses the same ones; a holder of the log before
the epoch can estimate them again. A long table is in several messages, `parts` of them, which follow one another in
the log: part n, counted from 0, is entry `logSize` + n. Numbers are texts with four decimals, because the last bits of
a float differ between machines.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    MAX_ITEMS,
    Members,
    check_distinct,
    read_agent_id,
    read_choice,
    read_hash,
    read_integer,
    read_list,
    read_object,
    read_text,
    shown,
)
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.policy import ConsensusMethod
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

MAX_PARTS = 10_000
MAX_ESTIMATES = MAX_ITEMS
"""The maximum number of estimates in one message."""

MAX_LEVELS = 8
"""The maximum number of levels of difficulty."""

_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,8})\.[0-9]{4}")

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CopyEvidence:
    """The number of claims that `both` judged, and of those on which a copier `differed`.

    `expected` is the number on which two independent verifiers of the same quality would differ.
    """

    both: int
    differed: int
    expected: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated reliability of an agent as a verifier under one criterion.

    `sensitivity` is how often it passes right claims, `specificity` how often it fails wrong ones, each as the two
    counts of a Beta distribution, the prior's among them. `judged` is the number of its verdicts that were used,
    `independence` the share of a verdict's weight that remains, from 0 for a copy to 1. Reasons for less: `copies` is
    the agent that it repeats and `copied` the evidence of that; `coalition`, above 0 to 1, is the share by which it is
    silenced, as a member of a group that gold found to lie together. Epochs of earlier nodes lack the latter two.
    """

    agent: str
    criterion: str
    sensitivity: Pair
    specificity: Pair
    judged: int
    independence: float
    copies: str | None = None
    copied: CopyEvidence | None = None
    coalition: float | None = None


@dataclass(frozen=True, slots=True)
class CriterionModel:
    """The shares of right and of wrong claims under a criterion, each by level of difficulty; together they are 1.

    `common_error` is the rate of claims about which all verifiers err together. `newcomer` is the accuracy that an
    agent without a record is taken to have at most, 1 if no operator has a record.
    """

    criterion: str
    right: tuple[float, ...]
    wrong: tuple[float, ...]
    common_error: float
    newcomer: float = 1.0

    def prior(self, prior: Pair) -> Pair:
        """Return this prior of an agent, or one of as many counts with the mean of `newcomer` if that is less."""
        counts = prior[0] + prior[1]
        if prior[0] <= self.newcomer * counts:
            return prior
        return self.newcomer * counts, (1.0 - self.newcomer) * counts


@dataclass(frozen=True, slots=True)
class OperatorRecord:
    """The rates of the verdicts for which an operator answers, under one criterion.

    `levels` has its sensitivity and its specificity on each level of difficulty, each as the two counts of a Beta
    distribution. `known` counts its answers where the truth is known by other means than verdicts: PASS and FAIL of
    right claims, then FAIL and PASS of wrong ones. Epochs of earlier nodes lack it.
    """

    operator: str
    criterion: str
    levels: tuple[tuple[Pair, Pair], ...]
    known: tuple[Pair, Pair] | None = None


@dataclass(frozen=True, slots=True)
class Epoch:
    """A part of the table that the first `log_size` entries give; `calibration` maps a confidence to a weight.

    Epochs of earlier nodes have neither models nor records.
    """

    envelope: Envelope
    log_size: int
    policy: str
    method: ConsensusMethod
    part: int
    parts: int
    calibration: tuple[Pair, ...]
    estimates: tuple[Estimate, ...]
    models: tuple[CriterionModel, ...] = ()
    records: tuple[OperatorRecord, ...] = ()

    @property
    def is_last(self) -> bool:
        """Whether the table is complete with this part."""
        return self.part == self.parts - 1

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Epoch":
        """Read a part of an epoch out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.EPOCH,
            time_member="issuedAt",
            agent_id=read_agent_id(message, "issuingAgent"),
        )
        parts = read_integer(message, "parts", least=1, most=MAX_PARTS)
        estimates = tuple(
            _read_estimate(members, f"estimates[{index}]")
            for index, members in enumerate(read_list(message, "estimates"))
        )
        check_distinct([f"{one.agent}|{one.criterion}" for one in estimates], "estimates")
        models = _read_models(message)
        return cls(
            envelope=envelope,
            log_size=read_integer(message, "logSize", least=1),
            policy=read_hash(message, "policy"),
            method=read_choice(message, "method", ConsensusMethod),
            part=read_integer(message, "part", most=parts - 1),
            parts=parts,
            calibration=_read_calibration(message),
            estimates=estimates,
            models=models,
            records=_read_records(message, {one.criterion: len(one.right) for one in models}),
        )


def build_epoch(
    *,
    epoch_id: str,
    issued_at: datetime,
    issuing_agent: str,
    log_size: int,
    policy: str,
    calibration: Sequence[Pair],
    estimates: Sequence[Estimate],
    models: Sequence[CriterionModel] = (),
    records: Sequence[OperatorRecord] = (),
    part: int = 0,
    parts: int = 1,
    method: ConsensusMethod = ConsensusMethod.POSTERIOR,
) -> dict[str, Any]:
    """Return an unsigned part of an epoch; `policy` is the signed hash of the policy in force."""
    members = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.EPOCH.wire,
        "@id": epoch_id,
        "issuedAt": format_instant(issued_at),
        "issuingAgent": issuing_agent,
        "logSize": log_size,
        "policy": policy,
        "method": method.value,
        "part": part,
        "parts": parts,
        "calibration": [_pair_text(point) for point in calibration],
        "estimates": [_estimate_members(one) for one in estimates],
    }
    if models:
        members["models"] = [_model_members(one) for one in models]
    if records:
        members["records"] = [_record_members(one) for one in records]
    return members


def decimal(value: float) -> str:
    """Return a number in the form of an epoch: four decimals."""
    return f"{round(value, 4) + 0.0:.4f}"  # -0.0 is written without its sign


def _estimate_members(one: Estimate) -> dict[str, Any]:
    members: dict[str, Any] = {
        "agent": one.agent,
        "criterion": one.criterion,
        "sensitivity": _pair_text(one.sensitivity),
        "specificity": _pair_text(one.specificity),
        "judged": one.judged,
        "independence": decimal(one.independence),
    }
    if one.copies is not None:
        members["copies"] = one.copies
    if one.copied is not None:
        both, differed = one.copied.both, one.copied.differed
        members["copied"] = {"both": both, "differed": differed, "expected": decimal(one.copied.expected)}
    if one.coalition is not None:
        members["coalition"] = decimal(one.coalition)
    return members


def _model_members(one: CriterionModel) -> dict[str, Any]:
    return {
        "criterion": one.criterion,
        "right": [decimal(share) for share in one.right],
        "wrong": [decimal(share) for share in one.wrong],
        "commonError": decimal(one.common_error),
        "newcomer": decimal(one.newcomer),
    }


def _record_members(one: OperatorRecord) -> dict[str, Any]:
    members = {
        "operator": one.operator,
        "criterion": one.criterion,
        "levels": [_rate_members(*level) for level in one.levels],
    }
    return members if one.known is None else {**members, "known": _rate_members(*one.known)}


def _rate_members(sensitivity: Pair, specificity: Pair) -> dict[str, list[str]]:
    return {"sensitivity": _pair_text(sensitivity), "specificity": _pair_text(specificity)}


def _pair_text(pair: Pair) -> list[str]:
    return [decimal(value) for value in pair]


def _read_estimate(members: Any, path: str) -> Estimate:
    if type(members) is not dict:
        raise FieldError(path, f"is {shown(members)}, not an object")
    if "copied" in members and "copies" not in members:
        raise FieldError(f"{path}.copied", "is there without copies")
    return Estimate(
        agent=read_agent_id(members, "agent", path),
        criterion=read_text(members, "criterion", path),
        sensitivity=_read_counts(members, "sensitivity", path),
        specificity=_read_counts(members, "specificity", path),
        judged=read_integer(members, "judged", path),
        independence=_read_share(members, "independence", path),
        copies=read_agent_id(members, "copies", path) if "copies" in members else None,
        copied=_read_copied(members, path) if "copied" in members else None,
        coalition=_read_coalition(members, path) if "coalition" in members else None,
    )


def _read_models(message: Members) -> tuple[CriterionModel, ...]:
    if "models" not in message:
        return ()
    models = tuple(
        _read_model(members, f"models[{index}]") for index, members in enumerate(read_list(message, "models"))
    )
    check_distinct([one.criterion for one in models], "models")
    return models


def _read_model(members: Any, path: str) -> CriterionModel:
    if type(members) is not dict:
        raise FieldError(path, f"is {shown(members)}, not an object")
    right, wrong = (_read_shares(members, name, path) for name in ("right", "wrong"))
    if len(right) != len(wrong):
        raise FieldError(f"{path}.wrong", f"has {len(wrong)} levels, and right has {len(right)}")
    return CriterionModel(
        criterion=read_text(members, "criterion", path),
        right=right,
        wrong=wrong,
        common_error=_read_share(members, "commonError", path, most=0.5),
        newcomer=_above_zero(_read_share(members, "newcomer", path), f"{path}.newcomer"),
    )


def _read_shares(members: Members, name: str, path: str) -> tuple[float, ...]:
    shares = read_list(members, name, path)
    if not 1 <= len(shares) <= MAX_LEVELS:
        raise FieldError(f"{path}.{name}", f"has {len(shares)} levels, not 1 to {MAX_LEVELS}")
    return tuple(
        _above_zero(_read_decimal(share, f"{path}.{name}[{index}]"), f"{path}.{name}[{index}]")
        for index, share in enumerate(shares)
    )


def _read_records(message: Members, levels: Mapping[str, int]) -> tuple[OperatorRecord, ...]:
    if "records" not in message:
        return ()
    records = tuple(
        _read_record(members, levels, f"records[{index}]")
        for index, members in enumerate(read_list(message, "records"))
    )
    check_distinct([f"{one.operator}|{one.criterion}" for one in records], "records")
    return records


def _read_record(members: Any, levels: Mapping[str, int], path: str) -> OperatorRecord:
    if type(members) is not dict:
        raise FieldError(path, f"is {shown(members)}, not an object")
    criterion, rates = read_text(members, "criterion", path), read_list(members, "levels", path)
    if criterion not in levels:
        raise FieldError(f"{path}.criterion", f"is {shown(criterion)}, which no model of the message is of")
    if len(rates) != levels[criterion]:
        raise FieldError(f"{path}.levels", f"has {len(rates)} levels; the model of {criterion} has {levels[criterion]}")
    return OperatorRecord(
        operator=read_agent_id(members, "operator", path),
        criterion=criterion,
        levels=tuple(_read_level(level, f"{path}.levels[{index}]") for index, level in enumerate(rates)),
        known=_read_known(members, path) if "known" in members else None,
    )


def _read_level(members: Any, path: str) -> tuple[Pair, Pair]:
    if type(members) is not dict:
        raise FieldError(path, f"is {shown(members)}, not an object")
    return _read_counts(members, "sensitivity", path), _read_counts(members, "specificity", path)


def _read_known(members: Members, path: str) -> tuple[Pair, Pair]:
    known, path = read_object(members, "known", path), f"{path}.known"
    sensitivity, specificity = (
        _read_pair(read_list(known, name, path), f"{path}.{name}") for name in ("sensitivity", "specificity")
    )
    return sensitivity, specificity


def _read_copied(members: Members, path: str) -> CopyEvidence:
    copied, path = read_object(members, "copied", path), f"{path}.copied"
    both = read_integer(copied, "both", path, least=1)
    differed = read_integer(copied, "differed", path, most=both)
    expected = _read_decimal(read_text(copied, "expected", path), f"{path}.expected")
    return CopyEvidence(both, differed, _above_zero(expected, f"{path}.expected"))


def _read_coalition(members: Members, path: str) -> float:
    return _above_zero(_read_share(members, "coalition", path), f"{path}.coalition")


def _read_calibration(message: Members) -> tuple[Pair, ...]:
    """Read the points of a weight that grows with the confidence, both from 0 to 1; an empty list is the identity."""
    points = [
        _read_pair(point, f"calibration[{index}]") for index, point in enumerate(read_list(message, "calibration"))
    ]
    for index, point in enumerate(points):
        earlier = points[index - 1] if index else (-1.0, 0.0)
        if not (earlier[0] < point[0] <= 1.0 and earlier[1] <= point[1] <= 1.0):
            raise FieldError(f"calibration[{index}]", "does not follow the one before it, from 0 to 1")
    return tuple(points)


def _read_counts(members: Members, name: str, path: str) -> Pair:
    pair = _read_pair(read_list(members, name, path), f"{path}.{name}")
    for index, count in enumerate(pair):
        _above_zero(count, f"{path}.{name}[{index}]")
    return pair


def _above_zero(number: float, path: str) -> float:
    if not number:
        raise FieldError(path, "is 0, not a number above it")
    return number


def _read_pair(value: Any, path: str) -> Pair:
    if type(value) is not list or len(value) != 2:
        raise FieldError(path, f"is {shown(value)}, not two numbers")
    return _read_decimal(value[0], f"{path}[0]"), _read_decimal(value[1], f"{path}[1]")


def _read_share(members: Members, name: str, path: str, most: float = 1.0) -> float:
    share = _read_decimal(read_text(members, name, path), f"{path}.{name}")
    if share > most:
        raise FieldError(f"{path}.{name}", f"is {share}, more than {most:g}")
    return share


def _read_decimal(value: Any, path: str) -> float:
    if type(value) is not str or not _DECIMAL.fullmatch(value):
        raise FieldError(path, f"is {shown(value)}, not a text like 12.3456")
    return float(value)
