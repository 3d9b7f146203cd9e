"""Measurements of the window as people use it: real workers, generated radiographs, no clocks in tests."""
