"""Training for 8-bit integers, and the int8 model."""
