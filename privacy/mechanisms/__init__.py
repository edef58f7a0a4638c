"""One room per mechanism; the catalogue knows them all by their names on the wire."""
