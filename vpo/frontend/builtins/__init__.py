"""Built-in functions: those of the language's headers, of gcc and of clang."""
