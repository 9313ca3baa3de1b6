"""Reads the packs that a node has taken, over HTTP."""

from a2ap.client import Client
from a2ap.pack.manifest import Manifest, Step
from a2ap.pack.read_manifest import read_manifest
from a2ap.testing.node import Node


class Taken:
    """A pack as the node has it."""

    def __init__(self, node: Node, name: str | None) -> None:
        assert name is not None
        self.name, self._client = name, Client(node.url)
        self.manifest: Manifest = read_manifest(self._client.record("/packs", name)).manifest

    def content(self, reference: str) -> bytes:
        return self._client._send("GET", f"/packs/{self.name}/content/{reference}").content

    def inputs(self) -> dict[str, bytes]:
        return {one.name: self.content(one.content_ref) for one in self.manifest.inputs}

    def outputs(self) -> dict[str, bytes]:
        return {one.name: self.content(one.content_ref) for one in self.manifest.outputs}

    def contents(self) -> list[bytes]:
        manifest = self.manifest
        names = [
            *(one.content_ref for one in manifest.prompts),
            *(one.content_ref for one in manifest.inputs),
            *(one.content_ref for one in manifest.outputs),
            *(one.output_ref for one in manifest.steps if one.output_ref),
        ]
        return [self.content(name) for name in names]

    def steps(self, kind: str) -> list[Step]:
        return [one for one in self.manifest.steps if one.type == kind]
