"""Vehicles with a turn radius in a group: lanes, maneuvers and driving backward."""
