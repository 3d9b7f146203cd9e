"""The engine of Fullfield: reading, enhancing, training and writing radiographs. It never imports Qt."""

__version__ = "0.1.0.dev0"
