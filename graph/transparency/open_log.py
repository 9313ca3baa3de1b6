"""Opens the log of a graph: compares the two, and goes on from the last signed checkpoint."""

import logging

from a2ap.signing.keys import Signer
from graph.content.content_store import ContentStore
from graph.content.object_folder import ObjectFolder
from graph.keys.node_signers import open_next_log_signer
from graph.node import Node
from graph.settings import Settings
from graph.store import Store
from graph.transparency.comparison import compare_graph
from graph.transparency.kept_checkpoint import CHECKPOINT, Place
from graph.transparency.kept_tiles import PREFIX
from graph.transparency.key_history import KeyHistory
from graph.transparency.log import Log
from graph.transparency.log_signers import LogSigners

logger = logging.getLogger(__name__)


async def open_log(
    store: Store, content: ContentStore, node: Node, settings: Settings, signer: Signer | None = None
) -> Log:
    """Return the log of a node's graph, after comparing every entry with the signed ones.

    `signer` takes the place of the key file. Raises `LogMismatchError`, naming the first entry that is not the signed
    one, and `NodeError` if this process does not have the log's key.
    """
    places = [Place(ObjectFolder(settings.data), str(settings.data / CHECKPOINT))]
    if settings.objects_url is not None:
        places.append(Place(content.objects, f"{settings.objects_url}/{CHECKPOINT}"))
    compared = await compare_graph(store, content.objects, places, node.origin)
    keys = KeyHistory(node.origin)
    for entry in compared.key_entries:
        await keys.learn(entry, content)
    if compared.tree.size and not compared.kept:
        logger.warning("no checkpoint of this log is kept; its %d entries are taken as they are", compared.tree.size)
    log_key = settings.log_key or settings.data / "log.key"
    signers = LogSigners(node.origin, log_key, signer, open_next_log_signer(settings))
    log = Log(store, content, signers, places, keys, compared.tree)
    for path in compared.wrong:
        logger.warning("%s%s is not of the log that was signed; the graph is, and makes it again", PREFIX, path)
    if compared.missing:
        logger.info("%d tiles and bundles are not there and are made again", len(compared.missing))
    await log.resume([*compared.wrong, *compared.missing])
    return log
