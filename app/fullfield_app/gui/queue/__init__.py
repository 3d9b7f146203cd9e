"""What stands in the list of images: one row for each."""
