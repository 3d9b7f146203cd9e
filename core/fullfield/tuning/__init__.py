"""Fine-tuning on a clinic's own images: the training, and what its model is worth beside what is used now."""
