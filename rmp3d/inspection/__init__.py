"""What a scene is good for: its storeys, rooms and doors, what separates them, and a scenario."""
