"""Blind grading: pairs are chosen, read without knowing which image is which, and told apart at the end."""
