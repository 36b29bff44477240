"""Studies of many runs, and of machines that are not there yet."""
