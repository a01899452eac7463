1
board.g Volumetric Rotational
Connections
0
