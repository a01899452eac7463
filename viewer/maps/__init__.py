"""Maps of a crowd on the ground: density, speed and flow."""
