"""A world with a verifier that repeats another's verdicts, and an epoch that has found that out."""

from builders import agent_id, signed_endorsement, signed_registration, signed_response, signed_statement
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    VERIFIER_A,
    VERIFIER_B,
    accept,
    settle,
    signed_node_policy,
)

from a2ap.messages.verification_response import Verdict
from graph.platform import Platform

ORIGINAL, COPIER, OPERATOR_C, OPERATOR_D = 4, 5, 13, 14
CLAIMS = 36
DIFFERED = 1
"""The claims that all four verifiers judge, and those on which the copier decides for itself."""


async def copying_world(platform: Platform) -> None:
    """Have claims judged by two that are nearly always right, one that is often wrong, and one that repeats it."""
    await settle(platform)
    await accept(platform, *(signed_registration(number) for number in (ORIGINAL, COPIER, OPERATOR_C, OPERATOR_D)))
    await accept(
        platform,
        signed_endorsement(signed_registration(ORIGINAL), OPERATOR_C),
        signed_endorsement(signed_registration(COPIER), OPERATOR_D),
    )
    seeds = tuple(agent_id(number) for number in (OPERATOR_A, OPERATOR_B, OPERATOR_C, OPERATOR_D))
    await accept(platform, signed_node_policy(platform, 2, seeds=seeds, epoch_length=1_000_000))
    statements = [signed_statement(AUTHOR, claim=f"Claim {number}.") for number in range(CLAIMS)]
    await accept(platform, *statements)
    for verifier in (VERIFIER_A, VERIFIER_B, ORIGINAL, COPIER):
        verdicts = [_verdict(verifier, number) for number in range(CLAIMS)]
        await accept(
            platform,
            *(
                signed_response(statement, verifier, verdict=verdict)
                for statement, verdict in zip(statements, verdicts, strict=True)
            ),
        )
    await accept(platform, signed_node_policy(platform, 3, seeds=seeds, epoch_length=1))
    await platform.epochs.settled()


def _verdict(verifier: int, number: int) -> Verdict:
    """Return what a verifier says of a claim; every fourth is wrong."""
    wrong = {
        VERIFIER_A: number % 24 == 3,
        VERIFIER_B: number % 24 == 10,
        ORIGINAL: number % 7 < 3,
        COPIER: (number % 7 < 3) ^ (number < DIFFERED),
    }[verifier]
    return Verdict.VALIDATED if (number % 4 != 0) ^ wrong else Verdict.CHALLENGED
