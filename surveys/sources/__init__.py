"""Databases that are asked: how they are reached, what they declare, whether their data keeps it."""
