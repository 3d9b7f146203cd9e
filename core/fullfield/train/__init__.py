"""Training: build, step, loop, loss, evaluation, checkpoints."""
