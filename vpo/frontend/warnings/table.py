"""The warnings that there are: a record for each message, from which options, pragmas and `--help-warnings` come.

A record is known by a key, `option` or `option:detail`: gcc's name of what switches it, and which of its messages it is.
To tell it, a check calls `report.warning(place, key, *fields)`; a field stands for each `{}` of the text.
"""

from __future__ import annotations

from dataclasses import dataclass

# What switches warnings on: nothing, for `constraint`, which -pedantic-errors makes errors, and `default`; then options; for
# `before-c23` -pedantic with an edition before C23; for `alone` its own option only.
GROUPS = ("constraint", "default", "all", "extra", "pedantic", "before-c23", "alone")


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
  pedantic   pedantic:comma-in-if          comma operator in operand of #if
cpp/directives.py
  constraint endif-labels                  extra tokens at end of #{} directive
  constraint extra-tokens                  extra tokens at end of #{} directive
  default    macro-redefined               '{}' redefined
  pedantic   pedantic:line-style           style of line directive is a GCC extension
  pedantic   pedantic:line-number          line number out of range
  pedantic   pedantic:directive            #{} is a GCC extension
  before-c23 pedantic:new-directive        #{} is a GCC extension
  pedantic   pedantic:va-args              __VA_ARGS__ can only appear in the expansion of a C99 variadic macro
  before-c23 pedantic:va-opt               __VA_OPT__ is not available until C2X
  pedantic   variadic-macros               ISO C does not permit named variadic macros
cpp/macro_expansion.py
  before-c23 pedantic:rest                 ISO C99 requires at least one argument for the '...' in a variadic macro
cpp/attributes.py
  default    attributes                    '{}' attribute directive ignored
  all        unknown-pragmas               ignoring '#pragma {}'
syntax/parse_file.py
  pedantic   pedantic:empty-file           ISO C forbids an empty translation unit
  pedantic   pedantic:semicolon            ISO C does not allow extra ';' outside of a function
syntax/parse_declarations.py
  constraint declarations:semicolon        no semicolon at end of struct or union
  all        duplicate-decl-specifier      duplicate '{}'
  extra      old-style-declaration         '{}' is not at beginning of declaration
  constraint implicit-int                  type defaults to 'int'
  pedantic   pedantic:nested-function      ISO C forbids nested functions
  pedantic   pedantic:no-members           struct or union has no members
  pedantic   pedantic:member-semicolon     extra semicolon in struct or union specified
  before-c23 pedantic:bit-int              ISO C does not support '_BitInt(N)' before C23
  before-c23 pedantic:assertion            ISO C11 does not support omitting the string in '_Static_assert'
  pedantic   pedantic:int128               ISO C does not support '__int128' types
  pedantic   pedantic:plain-complex        ISO C does not support plain complex types
  pedantic   pedantic:complex-integer      ISO C does not support complex integer types
syntax/parse_attributes.py
  default    attributes:standard           '{}' attribute ignored
  default    attributes:scoped             '{}::{}' scoped attribute directive ignored
  before-c23 pedantic:attributes           ISO C does not support '[[]]' attributes before C2X
syntax/parse_statements.py
  pedantic   pedantic:case-range           range expressions in switch statements are non-standard
  before-c23 pedantic:labelled-declaration a label can only be part of a statement and a declaration is not a statement
  pedantic   pedantic:goto                 ISO C forbids 'goto *expr;'
  pedantic   pedantic:label                ISO C forbids label declarations
  before-c23 pedantic:last-label           label at end of compound statement
syntax/parse_expressions.py
  pedantic   pedantic:label-address        taking the address of a label is non-standard
  pedantic   pedantic:alignof              ISO C does not allow '_Alignof (expression)'
  pedantic   pedantic:old-member           obsolete use of designated initializer with ':'
  pedantic   pedantic:no-equals            obsolete use of designated initializer without '='
  pedantic   pedantic:range                ISO C forbids specifying range of elements to initialize
  before-c23 pedantic:empty-braces         ISO C forbids empty initializer braces
  pedantic   pedantic:braces               ISO C forbids braced-groups within expressions
  pedantic   pedantic:middle               ISO C forbids omitting the middle term of a ?: expression
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
  pedantic   pedantic:no-size              array size missing in '{}'
declare/declaration_rules.py
  constraint declarations:parameters       parameter names (without types) in function declaration
  constraint declarations:static           '{}' is static but {} in inline function '{}' which is not static
  constraint declarations:inline           inline function '{}' declared but never defined
  pedantic   pedantic:main                 cannot inline function 'main'
declare/declarators.py
  constraint declarations:nothing          declaration does not declare anything
  extra      ignored-qualifiers            type qualifiers ignored on function return type
declare/enumerations.py
  pedantic   pedantic:enum                 ISO C forbids forward references to 'enum' types
  pedantic   pedantic:enumerator           ISO C restricts enumerator values to range of 'int'
declare/functions.py
  all        main                          return type of 'main' is not 'int'
  constraint implicit-int:parameter        type of '{}' defaults to 'int'
  pedantic   pedantic:promoted             promoted argument '{}' doesn't match prototype
  before-c23 pedantic:no-name              ISO C does not support omitting parameter names in function definitions before C2X
declare/flatten.py
  constraint excess-initializers           excess elements in initializer
  constraint excess-initializers:scalar    excess elements in scalar initializer
  constraint excess-initializers:string    initializer-string for character array is too long
  pedantic   pedantic:flexible-value       initialization of a flexible array member
declare/initialisers.py
  pedantic   pedantic:not-constant         initializer element is not constant
lower/implicit.py
  constraint implicit-function-declaration implicit declaration of function '{}'{}
lower/statements.py
  default    switch-range                  empty range specified
  constraint return-mismatch               'return' with no value, in function returning non-void
  all        return-type:no-value          'return' with no value, in function returning non-void
  constraint return-mismatch:value         'return' with a value, in function returning void
  pedantic   pedantic:return               ISO C forbids 'return' with expression, in function returning void
lower/conditions.py
  constraint conversion-mismatch           comparison of distinct pointer types lacks a cast
  constraint conversion-mismatch:integer   comparison between pointer and integer
  constraint conversion-mismatch:sides     pointer type mismatch in conditional expression
  constraint conversion-mismatch:side      pointer/integer type mismatch in conditional expression
  pedantic   pedantic:void-side            ISO C forbids conditional expr with only one void side
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
  pedantic   pedantic:unsigned             integer constant is so large that it is unsigned
  pedantic   pedantic:imaginary            imaginary constants are a GCC extension
  pedantic   pedantic:function-name        ISO C does not support '{}' predefined identifier
  pedantic   pedantic:escape               non-ISO-standard escape sequence, '\\e'
  before-c23 pedantic:suffix               non-standard suffix on floating constant before C2X
  before-c23 pedantic:binary               binary constants are a C2X feature or GCC extension
lower/calls.py
  default    attribute-warning             call to '{}' declared with attribute warning: {}
lower/operators.py
  default    div-by-zero                   division by zero
  default    shift-count-negative          shift count out of the width of the type
  default    shift-count-overflow          shift count out of the width of the type
  pedantic   pointer-arith                 pointer of type '{}' used in arithmetic
  pedantic   pointer-arith:sizeof          invalid application of 'sizeof' to type '{}'
  pedantic   pedantic:conjugation          ISO C does not support '~' for complex conjugation
  pedantic   pedantic:function-alignment   ISO C does not permit '_Alignof' applied to a function type
builtins/builtins.py
  default    va-arg                        '{}' is promoted when passed through '...'
compile.py
  constraint undefined-internal            '{}' declared 'static' but never defined
  all        unused-function:undefined     '{}' declared 'static' but never defined
warnings/declarations.py
  alone      shadow                        declaration of '{}' shadows {}
  alone      missing-prototypes            no previous prototype for '{}'
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
  alone      cast-qual                     cast discards '{}' qualifier from pointer target type
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
warnings/strictness.py
  alone      vla                           variable length array is used
  pedantic   pedantic                      ISO C forbids zero-size arrays
  pedantic   pedantic:flexible             invalid use of structure with flexible array member
  pedantic   pedantic:flexible-union       flexible array member in union
  pedantic   pedantic:flexible-alone       flexible array member in a struct with no named members
  pedantic   pedantic:no-named-members     {} has no named members
  pedantic   pedantic:function-pointer     ISO C forbids {} between function pointer and 'void *'
  pedantic   pedantic:record-cast          ISO C forbids casting nonscalar to the same type
  pedantic   pedantic:union-cast           ISO C forbids casts to union type
  pedantic   pedantic:function-cast        ISO C forbids conversion between function pointer and object pointer types
  pedantic   pedantic:function-order       ISO C forbids ordered comparisons of pointers to functions
  pedantic   pedantic:zero-order           ordered comparison of pointer with integer zero
  pedantic   pedantic:register             ISO C forbids subscripting 'register' array
  pedantic   pedantic:expression           {} is not {} constant expression
  before-c23 pedantic:array-qualifiers     invalid use of pointers to arrays with different qualifiers in ISO C before C2X
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
