"""What the window keeps between its starts: read once, written behind it."""
