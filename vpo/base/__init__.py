"""What every part of the compiler may use: the cache on disk, processes, kinds of errors."""
