"""Stores of Context Packs for `a2ap pack`: found, and read with clear words for everything that is wrong in them."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path

from a2ap.pack.check_pack import PackReport, check_pack, held_as
from a2ap.pack.errors import PackError
from a2ap.pack.finding import Finding, FindingCode, Severity
from a2ap.pack.manifest import Manifest
from a2ap.pack.packing import Pack
from a2ap.pack.read_manifest import ReadManifest, read_manifest
from a2ap.pack.sidecar import SUFFIX, Sidecar, check_sidecar, read_sidecar
from graph.cli.errors import CommandError
from graph.cli.terminal import remark
from graph.content.pack_folder import PackFolder, find_pack_folder
from graph.errors import ContentError


class Ancestors(StrEnum):
    """The ancestors of a pack that go with it: none, or all."""

    NONE = "none"
    ALL = "all"


def open_store(folder: Path | None, *, make: bool = False) -> PackFolder:
    """Return the store of a folder, or the nearest one upwards from here. Raises CommandError if there is none."""
    found = find_pack_folder(Path.cwd()) if folder is None else PackFolder(folder)
    if found is not None and found.root.is_dir():
        return found
    where = folder or Path.cwd()
    if not make:
        raise CommandError(f"there is no .ctx store {'in' if folder else 'in or above'} {where}")
    made = PackFolder(where)
    made.initialise()
    remark(f"made the store {made.root}")
    return made


async def read_pack(folder: PackFolder, name: str) -> ReadManifest:
    """Read the manifest of a pack. Raises ContentError if it is missing or altered, PackError if it is no manifest."""
    return read_manifest(await folder.manifest(name))


async def read_content(folder: PackFolder, names: Iterable[str]) -> dict[str, bytes]:
    """Return the complete items of this content; missing or altered ones are left out."""
    found = {}
    for name in names:
        try:
            found[name] = await folder.content.get(name)
        except ContentError:
            continue
    return found


async def check_packs(folder: PackFolder, names: Sequence[str], *, content: bool = True) -> list[PackReport]:
    """Check packs, each with its content unless only the manifests are requested."""
    reports = []
    listed = folder.names()
    for name in names:
        data = await folder.read(name)
        held = await folder.held(_blobs_of(data)) if content and data is not None else {}
        reports.append(check_pack(name, data, held, known=listed))
    return reports


async def check_store(folder: PackFolder) -> list[Finding]:
    """Find the faults of a store beside its packs: damaged entries, and content that is not named by its hash."""
    findings = [
        Finding(FindingCode.INDEX_DAMAGED, Severity.ERROR, f"packs/{entry}", "does not hold the name that it has")
        for entry in folder.damaged_entries()
    ]
    for name, held in (await folder.held(await folder.objects())).items():
        if held.hash != name:
            findings.append(Finding(FindingCode.OBJECT_ALTERED, Severity.ERROR, name, f"the content is {held.hash}"))
    return findings


def pack_beside(file: Path) -> list[str]:
    """Return the pack that the sidecar of a file names, none if there is no sidecar. Raises PackError."""
    sidecar = _sidecar_of(file)
    return [] if sidecar is None else [sidecar.context_pack]


def check_artifact(folder: PackFolder, file: Path, report: PackReport) -> Iterator[Finding]:
    """Find whether a file is an output of a pack, by its content, and whether its sidecar says the same.

    The name of the file selects the output that it should be. Raises PackError for an invalid sidecar.
    """
    manifest = report.manifest.manifest if report.manifest is not None else None
    outputs = manifest.outputs if manifest is not None else ()
    found = held_as(file.read_bytes()).hash
    same_name = [output for output in outputs if output.name.rsplit("/", 1)[-1] == file.name]
    if all(output.content_ref != found for output in outputs):
        code, words = FindingCode.ARTIFACT_OF_OTHER, "is not an output of the pack"
        if same_name:
            code = FindingCode.ARTIFACT_MODIFIED
            words = f"is {found}, and the pack's output of that name {same_name[0].content_ref}"
        yield Finding(code, Severity.ERROR, str(file), words)
    sidecar = _sidecar_of(file)
    path = file.name + SUFFIX
    if sidecar is not None and (named := folder.resolve(sidecar.context_pack)) != report.hash:
        yield Finding(FindingCode.SIDECAR_OF_OTHER, Severity.ERROR, path, f"names {named}, another pack")
    elif sidecar is not None and manifest is not None:
        yield from check_sidecar(sidecar, path, manifest)


def _sidecar_of(file: Path) -> Sidecar | None:
    beside = file.with_name(file.name + SUFFIX)
    return read_sidecar(beside.read_bytes()) if beside.is_file() else None


async def other_packs(folder: PackFolder, name: str) -> list[tuple[str, Manifest]]:
    """Return the other complete packs of a store."""
    found = []
    for other in folder.names():
        if other != name:
            try:
                found.append((other, (await read_pack(folder, other)).manifest))
            except (ContentError, PackError) as error:
                remark(f"{other} is left out: {error}")
    return found


async def lineage_of(folder: PackFolder, name: str, ancestors: Ancestors) -> list[Pack]:
    """Return a pack with its content, and its ancestors as far as they are stored here."""
    packs = []
    following: str = name
    while following:
        packs.append(await folder.load(following))
        following = packs[-1].manifest.parent if ancestors is Ancestors.ALL else ""
        if following and following not in folder.names():
            remark(f"{following} is not here, and so not in the archive")
            break
    return packs


def read_versions(texts: Iterable[str]) -> dict[str, str]:
    """Read tools given as NAME=VERSION. Raises CommandError."""
    found = {}
    for text in texts:
        name, separator, version = text.partition("=")
        if not separator or not name:
            raise CommandError(f"--tool is {text[:120]!r}, not NAME=VERSION")
        found[name] = version
    return found


def _blobs_of(data: bytes) -> Sequence[str]:
    try:
        return read_manifest(data).manifest.blobs
    except PackError:
        return ()
