"""The page that keeps runs."""
