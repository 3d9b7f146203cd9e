"""Before another model or preset comes into use for a part of the body: both on images of one's own, side by side."""
