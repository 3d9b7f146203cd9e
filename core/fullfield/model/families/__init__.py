"""The kinds of networks, one file each: what is true of all networks of a kind, read without torch."""
