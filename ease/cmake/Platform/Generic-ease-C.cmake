# CMake reads this once it has forgotten what it knew of the system: there are the files and functions of Unix, as `__unix__` says.
set(UNIX 1)
