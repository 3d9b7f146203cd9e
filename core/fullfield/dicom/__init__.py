"""Reading and writing DICOM and imported files. The only package that uses a DICOM library."""
