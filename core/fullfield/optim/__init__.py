"""Optimizers that remember less on the device: in few bits, or in the host tier."""
