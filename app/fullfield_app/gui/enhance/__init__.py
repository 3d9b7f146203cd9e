"""The page that enhances: queue, compare view, export."""
