"""The statements that the machine checks again after messages about sources: those touched by an erasure or a new name.

A registration takes no bytes and no name away, so that only a new name of a known source matters. If a check fails, the
messages are accepted all the same, and `a2ap recheck` finds the remaining checks.
"""

import logging
from collections.abc import Sequence

from a2ap.errors import A2APError
from a2ap.redaction import Redaction
from a2ap.source_registration import SourceRegistration
from graph.errors import GraphError
from graph.evidence.sources import Sources
from graph.log.entry import Outcome, Receipt
from graph.log.submission import Submission

logger = logging.getLogger(__name__)


async def look_at_changes(sources: Sources, submissions: Sequence[Submission], outcomes: Sequence[Outcome]) -> None:
    """Have the machine check again the statements that cite the sources changed by these accepted messages."""
    accepted = [
        submission.message
        for submission, outcome in zip(submissions, outcomes, strict=True)
        if isinstance(outcome, Receipt) and outcome.created
    ]
    erased = [message.document_hash for message in accepted if isinstance(message, Redaction)]
    named = {(one.document_hash, one.source_id) for one in accepted if isinstance(one, SourceRegistration)}
    try:
        for document_hash in erased:
            if document_hash is not None:
                await sources.check_again(document_hash, passed=True)
        if named:
            await sources.check_again_as(sorted(named))
    except (A2APError, GraphError) as error:
        logger.error("what cites the sources that were changed cannot be looked at yet: %s", error)
