"""Small widgets that show and ask, and know no other widget."""
