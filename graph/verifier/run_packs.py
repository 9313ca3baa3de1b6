"""The Context Packs of a verifier's runs, in the store `.ctx` of its folder, submitted before the verdicts."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from a2ap.boundary import Boundary
from a2ap.client import Client, ProblemError
from a2ap.client.answers import passes
from a2ap.pack.errors import PackError
from a2ap.times import parse_instant
from a2ap.verifier.packs import JudgedRun
from a2ap.verifier.records import RunRecord
from graph.content.pack_folder import PackFolder
from graph.errors import ContentError
from graph.verifier.pack_registration import hand_in_pack
from graph.verifier.run_pack import pack_run

logger = logging.getLogger(__name__)


class RunPacks:
    """The packs of one agent's runs; `sign` signs their registrations. It is the `Packs` of `a2ap.verifier`."""

    def __init__(self, folder: Path, agent_id: str, sign: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.folder = PackFolder(folder)
        self._agent_id = agent_id
        self._sign = sign

    def keep(self, run: JudgedRun) -> str:
        """Keep the pack of a run, and return its hash."""
        pack = pack_run(run)
        asyncio.run(self.folder.add(pack))
        return pack.hash

    def hand_in(self, record: RunRecord, client: Client) -> None:
        """Submit the pack that a verdict names.

        If the pack is lost here, or refused for good, the verdict is sent anyway and names a missing pack.
        """
        if record.pack is None or record.boundary is None:
            return
        try:
            pack = asyncio.run(self.folder.load(record.pack))
        except (ContentError, PackError) as error:
            logger.warning("the pack %s of %s is not handed in: %s", record.pack, record.response_id, error)
            return
        at = parse_instant(record.judged_at)
        try:
            hand_in_pack(client, pack, self._agent_id, Boundary(record.boundary), at, self._sign)
        except ProblemError as error:
            if passes(error):
                raise
