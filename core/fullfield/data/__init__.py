"""Folders of radiographs as training data: index, pairs, the raw-like simulation, loading."""
