"""Scenes: radiographs of the project's own making, whose log-attenuation is known, and pairs to learn from."""
