"""Machine descriptions: reading them, and recognising the instructions of the machine that they describe."""
