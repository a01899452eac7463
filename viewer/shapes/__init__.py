"""Rows of vertices that the graphics card draws: lines, rings, patches, surfaces, impostors."""
