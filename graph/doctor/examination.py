"""The whole examination of a node: one finding for each check, in the order of the report."""

import asyncio
from datetime import datetime

from graph.doctor.finding import Finding, problem
from graph.doctor.folder import Folder, folder_findings, read_folder
from graph.doctor.judgements import judge_checkpoint, judge_witnesses
from graph.doctor.running import address_of, ask_node
from graph.settings import Settings, SettingsError
from graph.transparency.kept_checkpoint import CHECKPOINT
from graph.transparency.witnesses import load_policy_file


async def examine(settings: Settings, url: str | None, wanted_space: int, now: datetime) -> list[Finding]:
    """Examine settings, data folder and the running node, at `url` or at the address of the settings.

    `wanted_space` is the bytes that should be free. Nothing is changed, and only the node and its database are
    contacted.
    """
    folder = read_folder(settings)
    findings = await folder_findings(settings, folder, wanted_space, now)
    asked = url or address_of(settings)
    running = await asyncio.to_thread(
        ask_node, asked, named=url is not None, settings=settings, node=folder.node, now=now
    )
    findings += running.findings
    # Of a node elsewhere the folder here has nothing, and its answer all that there is.
    kept, where = folder.checkpoint or running.checkpoint, str(settings.data / CHECKPOINT)
    findings.append(judge_checkpoint(kept, folder.age(now), folder.node, folder.log_keys, where))
    findings.append(_witnesses_finding(settings, running.checkpoint or kept, folder, now))
    return findings


def _witnesses_finding(settings: Settings, note: str | None, folder: Folder, now: datetime) -> Finding:
    try:
        file = None if settings.witnesses is None else load_policy_file(settings.witnesses, "A2AP_WITNESSES")
    except SettingsError as error:
        return problem("witnesses", str(error), "correct the policy file (docs/how-to/audit.md#witnesses)")
    return judge_witnesses(note, folder.age(now), file, now)
