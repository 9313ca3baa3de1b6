"""Records of other formats in the graph: Context Passports, Packs and Packets, by the hash of their bytes."""
