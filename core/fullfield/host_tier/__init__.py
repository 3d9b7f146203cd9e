"""The host tier: memory beside the device's, counted, and the way there."""
