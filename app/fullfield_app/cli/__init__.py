"""The command line. It imports neither Qt nor torch."""
