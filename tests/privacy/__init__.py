"""Tests of the laws on the device."""
