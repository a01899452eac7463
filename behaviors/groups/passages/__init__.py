"""Groups in formation: through narrow passages, or around a ward."""
