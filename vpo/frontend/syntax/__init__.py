"""From preprocessed C text to a tree of its syntax, by recursive descent.

`lexer` cuts the text, `stream` hands out tokens and knows which names are types; `parse_expressions`,
`parse_declarations`, `parse_statements` and `parse_file` have one function for each part of the grammar (C11, annex A, and
extensions of gcc); the `nodes` modules are what they make.
"""

from vpo.frontend.syntax.parse_file import parse

__all__ = ["parse"]
