"""The window. It imports neither torch nor a DICOM library."""
