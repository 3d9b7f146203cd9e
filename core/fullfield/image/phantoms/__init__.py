"""The bodies of the phantoms: synthetic anatomy, drawn as path lengths along the beam."""
