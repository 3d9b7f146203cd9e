"""Blind visual grading: what is asked, in which order, what was answered, and what can be said of it. numpy alone."""
