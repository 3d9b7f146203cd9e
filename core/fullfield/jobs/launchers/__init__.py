"""The launchers: one file each, named in `fullfield.protocol.places`."""
