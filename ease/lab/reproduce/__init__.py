"""Papers reproduced: their tables and figures beside today's, and whether the shape is the same."""
