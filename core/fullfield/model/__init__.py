"""The network, its weights and the model card inside them."""
