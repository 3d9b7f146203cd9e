"""Showing images: one view, two views side by side, the curtain between them."""
