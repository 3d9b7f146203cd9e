"""Where results go, one file for each kind of place, behind one protocol."""
