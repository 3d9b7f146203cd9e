"""Radiographs as arrays: windows, measures, and the conventional processor. No DICOM, no Qt, no torch."""
