"""The warnings that there are: a record for each message, from which options, pragmas and `--help-warnings` come.

A record is known by a key, `option` or `option:detail`: gcc's name of what switches it, and which of its messages it is.
To tell it, a check calls `report.warning(place, key, *fields)`; a field stands for each `{}` of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

# What switches warnings on: nothing, for `constraint`, which -pedantic-errors makes errors, and `default`; then options; for
# `alone` its own option only.
GROUPS = ("constraint", "default", "all", "extra", "alone")


@dataclass(frozen=True, slots=True)
class WarningRecord:
    """One message; `check` is the file of `vpo/frontend` that tells it."""

    key: str
    group: str
    text: str
    check: str

    @property
    def option(self) -> str:
        """What switches it: `-Woption`."""
        return self.key.partition(":")[0]


# The files that tell warnings, each with their groups, keys and texts.
_TABLE = """
cpp/directives.py
  default    cpp                           {}
  default    cpp:no-space                  no white space after the name of macro '{}'
  alone      undef                         '{}' is not defined, evaluates to '0'
cpp/directives.py
  constraint endif-labels                  extra tokens at end of #{} directive
  constraint extra-tokens                  extra tokens at end of #{} directive
  default    macro-redefined               '{}' redefined
cpp/attributes.py
  default    attributes                    '{}' attribute directive ignored
  all        unknown-pragmas               ignoring '#pragma {}'
syntax/parse_declarations.py
  constraint declarations:semicolon        no semicolon at end of struct or union
  all        duplicate-decl-specifier      duplicate '{}'
  extra      old-style-declaration         '{}' is not at beginning of declaration
  constraint implicit-int                  type defaults to 'int'
syntax/parse_attributes.py
  default    attributes:standard           '{}' attribute ignored
  default    attributes:scoped             '{}::{}' scoped attribute directive ignored
syntax/suspicious_syntax.py
  all        parentheses                   suggest parentheses around assignment used as truth value
  all        parentheses:order             comparisons like 'X<=Y<=Z' do not have their mathematical meaning
  all        parentheses:operand           suggest parentheses around '{}' in operand of '{}'
  all        parentheses:else              suggest explicit braces to avoid ambiguous 'else'
  extra      empty-body                    suggest braces around empty body in an 'if' statement
  extra      empty-body:else               suggest braces around empty body in an 'else' statement
declare/declarations.py
  constraint declarations                  unnamed struct/union that defines no instances
  constraint declarations:name             useless type name in empty declaration
  constraint declarations:types            conflicting types for '{}'
  default    attributes:alignment          the alignment of function '{}' is ignored
  alone      strict-prototypes             function declaration isn't a prototype
declare/declaration_rules.py
  constraint declarations:parameters       parameter names (without types) in function declaration
  constraint declarations:static           '{}' is static but {} in inline function '{}' which is not static
  constraint declarations:inline           inline function '{}' declared but never defined
declare/declarators.py
  alone      vla                           variable length array is used
  constraint declarations:nothing          declaration does not declare anything
  extra      ignored-qualifiers            type qualifiers ignored on function return type
declare/functions.py
  all        main                          return type of 'main' is not 'int'
  constraint implicit-int:parameter        type of '{}' defaults to 'int'
declare/flatten.py
  constraint excess-initializers           excess elements in initializer
  constraint excess-initializers:scalar    excess elements in scalar initializer
  constraint excess-initializers:string    initializer-string for character array is too long
lower/implicit.py
  constraint implicit-function-declaration implicit declaration of function '{}'{}
lower/statements.py
  default    switch-range                  empty range specified
  constraint return-mismatch               'return' with no value, in function returning non-void
  all        return-type:no-value          'return' with no value, in function returning non-void
  constraint return-mismatch:value         'return' with a value, in function returning void
lower/conditions.py
  constraint conversion-mismatch           comparison of distinct pointer types lacks a cast
  constraint conversion-mismatch:integer   comparison between pointer and integer
  constraint conversion-mismatch:sides     pointer type mismatch in conditional expression
  constraint conversion-mismatch:side      pointer/integer type mismatch in conditional expression
lower/conversions.py
  constraint int-conversion                {} to '{}' from '{}' makes integer from pointer without a cast
  constraint int-conversion:pointer        {} to '{}' from '{}' makes pointer from integer without a cast
  constraint incompatible-pointer-types    {} to '{}' from incompatible pointer type '{}'
  constraint discarded-qualifiers          {} discards '{}' qualifier from pointer target type
  constraint discarded-array-qualifiers    {} discards '{}' qualifier from pointer target type
  all        pointer-sign                  pointer targets in {} to '{}' from '{}' differ in signedness
  default    address-of-packed-member      taking address of packed member of '{}' may result in an unaligned pointer value
lower/expressions.py
  constraint escapes                       unknown escape sequence '{}'
  default    multichar                     multi-character character constant
  default    overflow:unsigned             integer constant is so large that it is unsigned
lower/calls.py
  default    attribute-warning             call to '{}' declared with attribute warning: {}
lower/operators.py
  default    div-by-zero                   division by zero
  default    shift-count-negative          shift count out of the width of the type
  default    shift-count-overflow          shift count out of the width of the type
  alone      pointer-arith                 pointer of type '{}' used in arithmetic
  alone      pointer-arith:sizeof          invalid application of 'sizeof' to type '{}'
builtins/builtins.py
  default    va-arg                        '{}' is promoted when passed through '...'
compile.py
  constraint undefined-internal            '{}' declared 'static' but never defined
  all        unused-function:undefined     '{}' declared 'static' but never defined
warnings/declarations.py
  alone      shadow                        declaration of '{}' shadows {}
  constraint declarations:extern           '{}' initialized and declared 'extern'
  default    parameter-tags                '{} {}' declared inside parameter list will not be \
visible outside of this definition or declaration
  default    return-local-addr             function returns address of local variable '{}'
  all        switch                        enumeration value '{}' not handled in switch
  default    deprecated-declarations       '{}' is deprecated{}
warnings/conversions.py
  alone      conversion                    conversion from '{}' to '{}' may change value
  alone      conversion:constant           conversion from '{}' to '{}' changes value from '{}' to '{}'
  alone      float-conversion              conversion from '{}' to '{}' may change value
  alone      float-conversion:constant     conversion from '{}' to '{}' changes value from '{}' to '{}'
  alone      sign-conversion               conversion from '{}' to '{}' may change the sign of the result
  alone      sign-conversion:constant      conversion from '{}' to '{}' changes value from '{}' to '{}'
  default    overflow                      conversion from '{}' to '{}' changes value from '{}' to '{}'
  default    overflow:result               integer overflow in expression of type '{}'
  extra      shift-negative-value          left shift of negative value
  default    shift-overflow                result of '{} << {}' requires {} bits to represent, but '{}' only has {} bits
  default    int-to-pointer-cast           cast to pointer from integer of different size
  default    pointer-to-int-cast           cast from pointer to integer of different size
  all        logical-not-parentheses       logical not is only applied to the left hand side of comparison
  extra      sign-compare                  comparison of integer expressions of different signedness: '{}' and '{}'
warnings/formats.py
  all        format                        format '{}' expects argument of type '{}', but argument {} has type '{}'
  all        format:missing                format '{}' expects a matching '{}' argument
  all        format-extra-args             too many arguments for format
  all        format:unknown                unknown conversion type character '{}' in format
  all        format:trailing               spurious trailing '%' in format
  all        format:operand                missing $ operand number in format
  all        format:length                 use of '{}' length modifier with '{}' type character has \
either no effect or undefined behavior
warnings/flow.py
  all        return-type                   control reaches end of non-void function '{}'
  all        uninitialized                 '{}' is used uninitialized
  all        maybe-uninitialized           '{}' may be used uninitialized
warnings/unused.py
  all        unused-variable               unused variable '{}'
  all        unused-variable:static        '{}' defined but not used
  all        unused-const-variable         '{}' defined but not used
  all        unused-but-set-variable       variable '{}' set but not used
  extra      unused-parameter              unused parameter '{}'
  extra      unused-but-set-parameter      parameter '{}' set but not used
  all        unused-function               '{}' defined but not used
  all        unused-label                  label '{}' defined but not used
  all        unused-local-typedefs         typedef '{}' locally defined but not used
  all        unused-value                  statement with no effect
  all        unused-value:computed         value computed is not used
  default    unused-result                 ignoring return value of '{}'{}
"""


def _records() -> dict[str, WarningRecord]:
    found, check = dict[str, WarningRecord](), ""
    for line in _TABLE.split("\n"):
        if line.startswith(" "):
            group, key, text = line.split(maxsplit=2)
            found[key] = WarningRecord(key, group, text, check)
        else:
            check = line
    return found


RECORDS = _records()
