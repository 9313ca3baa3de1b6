"""The formats whose records are read here, and the reader of each."""

from a2ap.messages.record_registration import RecordFormat
from graph.records.pack_rows import PACKS
from graph.records.packet_record_rows import PACKET_RECORDS
from graph.records.packet_rows import PACKETS
from graph.records.passport_rows import PASSPORTS
from graph.records.record_reader import RecordReader

READERS: dict[RecordFormat, RecordReader] = {
    RecordFormat.PASSPORT: PASSPORTS,
    RecordFormat.PACK: PACKS,
    RecordFormat.PACKET: PACKETS,
    **PACKET_RECORDS,
}
