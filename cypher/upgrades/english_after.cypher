// Nothing is to be noted on Neo4j: it says of an index how its texts are read.
