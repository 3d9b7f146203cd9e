"""The window and the command line of Fullfield: two readers of the same stream of events."""
