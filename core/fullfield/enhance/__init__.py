"""A model or a preset applied to an image of any size, and the item that every front end processes."""
