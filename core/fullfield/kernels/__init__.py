"""Kernels of our own: MS-SSIM, BatchNorm and what they share, row by row."""
