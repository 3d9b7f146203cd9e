"""Measuring: regions and lines on the images, and the numbers of what they cover before and after."""
