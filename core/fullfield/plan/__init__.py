"""What a run shall do, as values. Nothing here imports torch."""
