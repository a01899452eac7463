"""Groups that pass narrow passages in formation, or surround a ward."""
