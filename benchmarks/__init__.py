"""Campaigns that measure RMP3D; their tables are beside them."""
