"""Parts of the network that are run again in backward for what backward needs."""
