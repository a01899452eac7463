"""The replay page: a frame of HTML, and its player in WebGL 2 without any library."""
