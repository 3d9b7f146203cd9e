"""The only place with threads: what runs outside the window thread, and how its news comes in."""
