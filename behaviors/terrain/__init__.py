"""The ground as a grid: where a body can go, shortest routes, dead ends."""
