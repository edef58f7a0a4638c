"""Tests: sentences about people who own, answer, read or attack a survey."""
