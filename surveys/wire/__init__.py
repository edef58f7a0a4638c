"""Bytes and texts that leave and enter the service: manifest, fingerprint, packed reports, seals."""
