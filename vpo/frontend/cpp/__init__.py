"""The C preprocessor: from the text of files to the tokens that the parser reads.

`tokens` reads text, `directives` does what lines with `#` say, `macros` holds definitions, `macro_expansion` replaces
macros, `if_expressions` evaluates `#if`, `attributes` decides which extensions of other compilers are accepted.
"""
