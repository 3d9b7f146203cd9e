"""Quality assurance: what a physicist measures on edges, flat fields and discs, before and after a method."""
