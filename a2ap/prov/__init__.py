"""A message as records of the PROV data model, and the three ways to write them: PROV-N, PROV-JSON, PROV-JSONLD.

    bundle = message_bundle(message)
    write_provn(bundle)

Each message is a bundle of its own. `a2ap.prov.names` gives the names of the records: no two things get one name
unless their bytes are the same, so that the whole, and every part of it, satisfies PROV-CONSTRAINTS for any content
of the messages.
"""

from a2ap.prov.message_records import message_bundle
from a2ap.prov.prov_json import PROV_JSON_END, prov_json_bundle, prov_json_header
from a2ap.prov.prov_jsonld import PROV_JSONLD_END, prov_jsonld_bundle, prov_jsonld_header
from a2ap.prov.provn import PROVN_END, provn_bundle, provn_header
from a2ap.prov.record import Bundle, Kind, Record
from a2ap.prov.triple_records import triples_bundle

__all__ = [
    "PROVN_END",
    "PROV_JSONLD_END",
    "PROV_JSON_END",
    "Bundle",
    "Kind",
    "Record",
    "message_bundle",
    "prov_json_bundle",
    "prov_json_header",
    "prov_jsonld_bundle",
    "prov_jsonld_header",
    "provn_bundle",
    "provn_header",
    "triples_bundle",
]
