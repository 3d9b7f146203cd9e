"""Ranks that compute together."""
