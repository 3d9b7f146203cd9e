"""Engines of inference, one file each, behind one protocol."""
