"""What every verb needs in a terminal: progress bars, text tables, Ctrl-C, and its own age."""
