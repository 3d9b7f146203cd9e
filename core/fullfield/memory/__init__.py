"""How much memory a training takes: told before it runs, and measured while it runs."""
