"""What the members of a group do after all of them have arrived."""
