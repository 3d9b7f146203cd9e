"""The page that trains."""
