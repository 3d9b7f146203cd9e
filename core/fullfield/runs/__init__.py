"""The trainings of this user: their events, folded into figures and curves; found, listed and named."""
