"""What a run is, as data: a program without a run, counts, and tables that say what happened."""
