"""The hot path of a report: decode, check, queue, group commit."""
