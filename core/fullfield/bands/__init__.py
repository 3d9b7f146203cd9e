"""The network's stages run by hand: in row bands with halos and barriers, or whole with cheap maps computed again."""
