"""Campaigns against hostile files, sudden ends and false recordings."""
