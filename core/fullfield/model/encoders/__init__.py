"""The encoders that the U-Net can have: one file each. Imports no torch."""
