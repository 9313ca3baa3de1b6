"""What a format yields, as pieces of files with names, whether it is one file or several."""

from collections.abc import AsyncIterator

from graph.errors import InputError
from graph.export.format import ExportFormat
from graph.export.formats import FORMATS
from graph.export.opening import Wanted
from graph.export.reader import ExportReader, FilePart

NAME = "a2ap"


def check_format(format: ExportFormat, wanted: Wanted) -> None:
    """Raise `InputError` where a format cannot have what is wanted."""
    wanted.check()
    why = FORMATS[format].why_named
    if wanted.pseudonym_key is not None and why is not None:
        raise InputError(f"{format} cannot have pseudonyms: {why}", "pseudonymize")


async def file_parts(reader: ExportReader, format: ExportFormat) -> AsyncIterator[FilePart]:
    """Yield the pieces of the files of a format; where it is one file, that is called `a2ap` with its extension."""
    found = FORMATS[format]
    if found.write_files is not None:
        async for part in found.write_files(reader):
            yield part
    if found.write is not None:
        async for piece in found.write(reader):
            yield FilePart(f"{NAME}{found.extension}", piece)
