"""What makes the documentation from the code: its site, its drawing of the packages."""
