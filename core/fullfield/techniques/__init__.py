"""What can be done about memory: one file and one line of the registry for each technique."""
