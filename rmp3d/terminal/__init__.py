"""What every verb uses in a terminal: parser, output, progress bars, text tables, Ctrl-C."""
