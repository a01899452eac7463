"""What separates two places: the floor in cells, what hinders a step between two, measurements."""
