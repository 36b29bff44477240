"""Entry and exit of functions: the frame, and who saves which registers where."""
