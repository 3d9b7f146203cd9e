"""What autograd keeps between forward and backward: compressed, or in the host tier."""
