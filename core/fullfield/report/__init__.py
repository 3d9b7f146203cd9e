"""A run as a report: one HTML file or a PDF, made from what the run has told and left."""
