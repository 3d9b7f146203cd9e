"""Reading and writing DICOM and imported files. The only package that uses a DICOM library."""

from fullfield.dicom import lean

lean.install()
