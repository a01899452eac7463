"""What `import rmp3d` offers beyond the packages' own classes: run, plan, verify, show."""
