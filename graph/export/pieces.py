"""The output of a format as pieces of named files, for formats of one file and of several."""

from collections.abc import AsyncIterator

from graph.errors import InputError
from graph.export.format import ExportFormat
from graph.export.formats import FORMATS
from graph.export.opening import Wanted
from graph.export.reader import ExportReader, FilePart

NAME = "a2ap"


def check_format(format: ExportFormat, wanted: Wanted) -> None:
    """Raise `InputError` if a format cannot have the wanted export."""
    wanted.check()
    why = FORMATS[format].why_named
    if wanted.pseudonym_key is not None and why is not None:
        raise InputError(f"{format} cannot have pseudonyms: {why}", "pseudonymize")
    if wanted.is_checked and not FORMATS[format].is_rdf:
        raise InputError(f"{format} has no triples of messages that could be checked", "checked")


async def file_parts(reader: ExportReader, format: ExportFormat) -> AsyncIterator[FilePart]:
    """Yield the pieces of the files of a format; a single file is called `a2ap` with its extension."""
    found = FORMATS[format]
    if found.write_files is not None:
        async for part in found.write_files(reader):
            yield part
    if found.write is not None:
        async for piece in found.write(reader):
            yield FilePart(f"{NAME}{found.extension}", piece)
