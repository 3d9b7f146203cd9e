"""The user's settings in the window: where pages read and change them, and the dialog."""
