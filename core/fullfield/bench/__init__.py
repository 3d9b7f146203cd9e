"""Measurements that anyone can repeat with one command."""
