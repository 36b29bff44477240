"""The warnings that there are: a record for each message, from which options, pragmas and `--help-warnings` come.

A record is known by a key, `option` or `option:detail`: gcc's name of what switches it, and which of its messages it is.
To tell it, a check calls `report.warning(place, key, *fields)`; a field stands for each `{}` of the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# What switches a warning on: nothing, for `constraint`, which -pedantic-errors makes errors, and `default`; then options; for
# `before-c23` -pedantic with an edition before C23; for `alone` its own option only.
Group = Literal["constraint", "default", "all", "extra", "pedantic", "before-c23", "alone"]


@dataclass(frozen=True, slots=True)
class WarningRecord:
    """One message; `check` is the file of `vpo/frontend` that tells it."""

    key: str
    group: Group
    text: str
    check: str

    @property
    def option(self) -> str:
        """What switches it: `-Woption`."""
        return self.key.partition(":")[0]


_RECORDS: dict[str, tuple[tuple[str, Group, str], ...]] = {
    "cpp/directives.py": (
        ("cpp", "default", "{}"),
        ("cpp:no-space", "default", "no white space after the name of macro '{}'"),
        ("undef", "alone", "'{}' is not defined, evaluates to '0'"),
        ("pedantic:comma-in-if", "pedantic", "comma operator in operand of #if"),
    ),
    "cpp/strict_directives.py": (
        ("endif-labels", "constraint", "extra tokens at end of #{} directive"),
        ("extra-tokens", "constraint", "extra tokens at end of #{} directive"),
        ("macro-redefined", "default", "'{}' redefined"),
        ("pedantic:line-style", "pedantic", "style of line directive is a GCC extension"),
        ("pedantic:line-number", "pedantic", "line number out of range"),
        ("pedantic:directive", "pedantic", "#{} is a GCC extension"),
        ("pedantic:new-directive", "before-c23", "#{} is a GCC extension"),
        ("pedantic:va-args", "pedantic", "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro"),
        ("pedantic:va-opt", "before-c23", "__VA_OPT__ is not available until C2X"),
        ("variadic-macros", "pedantic", "ISO C does not permit named variadic macros"),
    ),
    "cpp/macro_expansion.py": (
        ("pedantic:rest", "before-c23", "ISO C99 requires at least one argument for the '...' in a variadic macro"),
    ),
    "cpp/attributes.py": (
        ("attributes", "default", "'{}' attribute directive ignored"),
        ("unknown-pragmas", "all", "ignoring '#pragma {}'"),
    ),
    "syntax/forbidden.py": (
        ("pedantic:braces", "pedantic", "ISO C forbids braced-groups within expressions"),
        ("pedantic:middle", "pedantic", "ISO C forbids omitting the middle term of a ?: expression"),
        ("pedantic:goto", "pedantic", "ISO C forbids 'goto *expr;'"),
        ("pedantic:label", "pedantic", "ISO C forbids label declarations"),
        ("pedantic:int128", "pedantic", "ISO C does not support '__int128' types"),
        ("pedantic:plain-complex", "pedantic", "ISO C does not support plain complex types"),
        ("pedantic:complex-integer", "pedantic", "ISO C does not support complex integer types"),
        ("pedantic:imaginary", "pedantic", "imaginary constants are a GCC extension"),
        ("pedantic:escape", "pedantic", "non-ISO-standard escape sequence, '\\e'"),
        ("pedantic:function-name", "pedantic", "ISO C does not support '{}' predefined identifier"),
        ("pedantic:attributes", "before-c23", "ISO C does not support '[[]]' attributes before C2X"),
        ("pedantic:last-label", "before-c23", "label at end of compound statement"),
        ("pedantic:suffix", "before-c23", "non-standard suffix on floating constant before C2X"),
        ("pedantic:binary", "before-c23", "binary constants are a C2X feature or GCC extension"),
    ),
    "syntax/parse_file.py": (
        ("pedantic:empty-file", "pedantic", "ISO C forbids an empty translation unit"),
        ("pedantic:semicolon", "pedantic", "ISO C does not allow extra ';' outside of a function"),
    ),
    "syntax/parse_declarations.py": (
        ("declarations:semicolon", "constraint", "no semicolon at end of struct or union"),
        ("duplicate-decl-specifier", "all", "duplicate '{}'"),
        ("old-style-declaration", "extra", "'{}' is not at beginning of declaration"),
        ("implicit-int", "constraint", "type defaults to 'int'"),
        ("pedantic:nested-function", "pedantic", "ISO C forbids nested functions"),
        ("pedantic:no-members", "pedantic", "struct or union has no members"),
        ("pedantic:member-semicolon", "pedantic", "extra semicolon in struct or union specified"),
        ("pedantic:bit-int", "before-c23", "ISO C does not support '_BitInt(N)' before C23"),
        ("pedantic:assertion", "before-c23", "ISO C11 does not support omitting the string in '_Static_assert'"),
    ),
    "syntax/parse_attributes.py": (
        ("attributes:standard", "default", "'{}' attribute ignored"),
        ("attributes:scoped", "default", "'{}::{}' scoped attribute directive ignored"),
    ),
    "syntax/parse_statements.py": (
        ("pedantic:case-range", "pedantic", "range expressions in switch statements are non-standard"),
        ("pedantic:labelled-declaration", "before-c23",
         "a label can only be part of a statement and a declaration is not a statement"),
    ),
    "syntax/parse_expressions.py": (
        ("pedantic:label-address", "pedantic", "taking the address of a label is non-standard"),
        ("pedantic:alignof", "pedantic", "ISO C does not allow '_Alignof (expression)'"),
        ("pedantic:old-member", "pedantic", "obsolete use of designated initializer with ':'"),
        ("pedantic:no-equals", "pedantic", "obsolete use of designated initializer without '='"),
        ("pedantic:range", "pedantic", "ISO C forbids specifying range of elements to initialize"),
        ("pedantic:empty-braces", "before-c23", "ISO C forbids empty initializer braces"),
    ),
    "syntax/suspicious_syntax.py": (
        ("parentheses", "all", "suggest parentheses around assignment used as truth value"),
        ("parentheses:order", "all", "comparisons like 'X<=Y<=Z' do not have their mathematical meaning"),
        ("parentheses:operand", "all", "suggest parentheses around '{}' in operand of '{}'"),
        ("parentheses:else", "all", "suggest explicit braces to avoid ambiguous 'else'"),
        ("empty-body", "extra", "suggest braces around empty body in an 'if' statement"),
        ("empty-body:else", "extra", "suggest braces around empty body in an 'else' statement"),
    ),
    "declare/declarations.py": (
        ("declarations", "constraint", "unnamed struct/union that defines no instances"),
        ("declarations:name", "constraint", "useless type name in empty declaration"),
        ("declarations:types", "constraint", "conflicting types for '{}'"),
        ("attributes:alignment", "default", "the alignment of function '{}' is ignored"),
        ("strict-prototypes", "alone", "function declaration isn't a prototype"),
        ("pedantic:no-size", "pedantic", "array size missing in '{}'"),
    ),
    "declare/declaration_rules.py": (
        ("declarations:parameters", "constraint", "parameter names (without types) in function declaration"),
        ("declarations:static", "constraint", "'{}' is static but {} in inline function '{}' which is not static"),
        ("declarations:inline", "constraint", "inline function '{}' declared but never defined"),
        ("pedantic:main", "pedantic", "cannot inline function 'main'"),
    ),
    "declare/declarators.py": (
        ("declarations:nothing", "constraint", "declaration does not declare anything"),
        ("ignored-qualifiers", "extra", "type qualifiers ignored on function return type"),
    ),
    "declare/enumerations.py": (
        ("pedantic:enum", "pedantic", "ISO C forbids forward references to 'enum' types"),
        ("pedantic:enumerator", "pedantic", "ISO C restricts enumerator values to range of 'int'"),
    ),
    "declare/functions.py": (
        ("main", "all", "return type of 'main' is not 'int'"),
        ("implicit-int:parameter", "constraint", "type of '{}' defaults to 'int'"),
        ("pedantic:promoted", "pedantic", "promoted argument '{}' doesn't match prototype"),
        ("pedantic:no-name", "before-c23",
         "ISO C does not support omitting parameter names in function definitions before C2X"),
    ),
    "declare/flatten.py": (
        ("excess-initializers", "constraint", "excess elements in initializer"),
        ("excess-initializers:scalar", "constraint", "excess elements in scalar initializer"),
        ("excess-initializers:string", "constraint", "initializer-string for character array is too long"),
        ("pedantic:flexible-value", "pedantic", "initialization of a flexible array member"),
    ),
    "declare/initialisers.py": (
        ("pedantic:not-constant", "pedantic", "initializer element is not constant"),
    ),
    "lower/implicit.py": (
        ("implicit-function-declaration", "constraint", "implicit declaration of function '{}'{}"),
    ),
    "lower/statements.py": (
        ("switch-bool", "default", "switch condition has boolean value"),
        ("switch-range", "default", "empty range specified"),
        ("return-mismatch", "constraint", "'return' with no value, in function returning non-void"),
        ("return-type:no-value", "all", "'return' with no value, in function returning non-void"),
        ("return-mismatch:value", "constraint", "'return' with a value, in function returning void"),
        ("pedantic:return", "pedantic", "ISO C forbids 'return' with expression, in function returning void"),
    ),
    "lower/conditions.py": (
        ("conversion-mismatch", "constraint", "comparison of distinct pointer types lacks a cast"),
        ("conversion-mismatch:integer", "constraint", "comparison between pointer and integer"),
        ("conversion-mismatch:sides", "constraint", "pointer type mismatch in conditional expression"),
        ("conversion-mismatch:side", "constraint", "pointer/integer type mismatch in conditional expression"),
        ("pedantic:void-side", "pedantic", "ISO C forbids conditional expr with only one void side"),
    ),
    "lower/conversions.py": (
        ("int-conversion", "constraint", "{} to '{}' from '{}' makes integer from pointer without a cast"),
        ("int-conversion:pointer", "constraint", "{} to '{}' from '{}' makes pointer from integer without a cast"),
        ("incompatible-pointer-types", "constraint", "{} to '{}' from incompatible pointer type '{}'"),
        ("discarded-qualifiers", "constraint", "{} discards '{}' qualifier from pointer target type"),
        ("discarded-array-qualifiers", "constraint", "{} discards '{}' qualifier from pointer target type"),
        ("pointer-sign", "all", "pointer targets in {} to '{}' from '{}' differ in signedness"),
        ("address-of-packed-member", "default",
         "taking address of packed member of '{}' may result in an unaligned pointer value"),
    ),
    "lower/expressions.py": (
        ("escapes", "constraint", "unknown escape sequence '{}'"),
        ("multichar", "default", "multi-character character constant"),
        ("overflow:unsigned", "default", "integer constant is so large that it is unsigned"),
        ("pedantic:unsigned", "pedantic", "integer constant is so large that it is unsigned"),
    ),
    "lower/calls.py": (
        ("attribute-warning", "default", "call to '{}' declared with attribute warning: {}"),
    ),
    "lower/operators.py": (
        ("div-by-zero", "default", "division by zero"),
        ("shift-count-negative", "default", "shift count out of the width of the type"),
        ("shift-count-overflow", "default", "shift count out of the width of the type"),
        ("pointer-arith", "pedantic", "pointer of type '{}' used in arithmetic"),
        ("pointer-arith:sizeof", "pedantic", "invalid application of 'sizeof' to type '{}'"),
        ("pedantic:conjugation", "pedantic", "ISO C does not support '~' for complex conjugation"),
        ("pedantic:function-alignment", "pedantic", "ISO C does not permit '_Alignof' applied to a function type"),
    ),
    "builtins/builtins.py": (
        ("va-arg", "default", "'{}' is promoted when passed through '...'"),
    ),
    "compile.py": (
        ("undefined-internal", "constraint", "'{}' declared 'static' but never defined"),
        ("unused-function:undefined", "all", "'{}' declared 'static' but never defined"),
    ),
    "warnings/declarations.py": (
        ("shadow", "alone", "declaration of '{}' shadows {}"),
        ("missing-prototypes", "alone", "no previous prototype for '{}'"),
        ("declarations:extern", "constraint", "'{}' initialized and declared 'extern'"),
        ("parameter-tags", "default", "'{} {}' declared inside parameter list will not be visible outside of this "
         "definition or declaration"),
        ("return-local-addr", "default", "function returns address of local variable '{}'"),
        ("switch", "all", "enumeration value '{}' not handled in switch"),
        ("deprecated-declarations", "default", "{}"),
    ),
    "warnings/conversions.py": (
        ("conversion", "alone", "conversion from '{}' to '{}' may change value"),
        ("conversion:constant", "alone", "conversion from '{}' to '{}' changes value from '{}' to '{}'"),
        ("float-conversion", "alone", "conversion from '{}' to '{}' may change value"),
        ("float-conversion:constant", "alone", "conversion from '{}' to '{}' changes value from '{}' to '{}'"),
        ("sign-conversion", "alone", "conversion from '{}' to '{}' may change the sign of the result"),
        ("sign-conversion:constant", "alone", "conversion from '{}' to '{}' changes value from '{}' to '{}'"),
        ("overflow", "default", "conversion from '{}' to '{}' changes value from '{}' to '{}'"),
        ("overflow:result", "default", "integer overflow in expression of type '{}'"),
        ("shift-negative-value", "extra", "left shift of negative value"),
        ("shift-overflow", "default", "result of '{} << {}' requires {} bits to represent, but '{}' only has {} bits"),
        ("int-to-pointer-cast", "default", "cast to pointer from integer of different size"),
        ("pointer-to-int-cast", "default", "cast from pointer to integer of different size"),
        ("cast-qual", "alone", "cast discards '{}' qualifier from pointer target type"),
    ),
    "warnings/comparisons.py": (
        ("sign-compare", "extra", "comparison of integer expressions of different signedness: '{}' and '{}'"),
        ("type-limits", "extra", "comparison is always {} due to limited range of data type"),
        ("tautological-compare", "all", "self-comparison always evaluates to {}"),
        ("bool-compare", "all", "comparison of constant '{}' with boolean expression is always {}"),
        ("bool-operation", "all", "'~' on a boolean expression; did you mean to use logical not?"),
        ("logical-not-parentheses", "all", "logical not is only applied to the left hand side of comparison"),
        ("enum-compare", "all", "comparison between '{}' and '{}'"),
        ("float-equal", "alone", "comparing floating-point with '{}' is unsafe"),
        ("address", "all", "comparison with string literal results in unspecified behavior"),
    ),
    "warnings/arguments.py": (
        ("char-subscripts", "all", "array subscript has type 'char'"),
        ("array-bounds", "all", "array subscript {} is outside array bounds of '{}'"),
        ("memset-transposed-args", "all",
         "'memset' used with constant zero length parameter; this could be due to transposed parameters"),
        ("sizeof-pointer-memaccess", "all",
         "argument to 'sizeof' in '{}' call is the same expression as the {}; did you mean to dereference it?"),
    ),
    "warnings/formats.py": (
        ("format", "all", "format '{}' expects argument of type '{}', but argument {} has type '{}'"),
        ("format:missing", "all", "format '{}' expects a matching '{}' argument"),
        ("format-extra-args", "all", "too many arguments for format"),
        ("format:unknown", "all", "unknown conversion type character '{}' in format"),
        ("format:trailing", "all", "spurious trailing '%' in format"),
        ("format:operand", "all", "missing $ operand number in format"),
        ("format:repeated", "all", "repeated '{}' flag in format"),
        ("format:flag", "all", "'{}' flag used with '%{}' printf format"),
        ("format:ignored", "all", "'{}' flag ignored with {} printf format"),
        ("format:width", "all", "field width used with '%{}' {} format"),
        ("format:precision", "all", "precision used with '%{}' printf format"),
        ("format:zero", "all", "zero width in scanf format"),
        ("format:star", "all", "use of assignment suppression and length modifier together in scanf format"),
        ("format:suppressed", "all", "assignment suppression used with '%n' scanf format"),
        ("format:length", "all",
         "use of '{}' length modifier with '{}' type character has either no effect or undefined behavior"),
        ("format:modifier", "all", "'{}' modifier used with '%{}' strftime format"),
    ),
    "warnings/flow.py": (
        ("return-type", "all", "control reaches end of non-void function '{}'"),
        ("uninitialized", "all", "'{}' is used uninitialized"),
        ("maybe-uninitialized", "all", "'{}' may be used uninitialized"),
    ),
    "warnings/unused.py": (
        ("unused-variable", "all", "unused variable '{}'"),
        ("unused-variable:static", "all", "'{}' defined but not used"),
        ("unused-const-variable", "all", "'{}' defined but not used"),
        ("unused-but-set-variable", "all", "variable '{}' set but not used"),
        ("unused-parameter", "extra", "unused parameter '{}'"),
        ("unused-but-set-parameter", "extra", "parameter '{}' set but not used"),
        ("unused-function", "all", "'{}' defined but not used"),
        ("unused-label", "all", "label '{}' defined but not used"),
        ("unused-local-typedefs", "all", "typedef '{}' locally defined but not used"),
        ("unused-value", "all", "statement with no effect"),
        ("unused-value:computed", "all", "value computed is not used"),
        ("unused-value:comma", "all", "{}-hand operand of comma expression has no effect"),
        ("unused-result", "default", "ignoring return value of '{}'{}"),
    ),
    "warnings/strictness.py": (
        ("vla", "alone", "variable length array is used"),
        ("pedantic", "pedantic", "ISO C forbids zero-size arrays"),
        ("pedantic:flexible", "pedantic", "invalid use of structure with flexible array member"),
        ("pedantic:flexible-union", "pedantic", "flexible array member in union"),
        ("pedantic:flexible-alone", "pedantic", "flexible array member in a struct with no named members"),
        ("pedantic:no-named-members", "pedantic", "{} has no named members"),
        ("pedantic:function-pointer", "pedantic", "ISO C forbids {} between function pointer and 'void *'"),
        ("pedantic:record-cast", "pedantic", "ISO C forbids casting nonscalar to the same type"),
        ("pedantic:union-cast", "pedantic", "ISO C forbids casts to union type"),
        ("pedantic:function-cast", "pedantic", "ISO C forbids conversion between function pointer and object pointer types"),
        ("pedantic:function-order", "pedantic", "ISO C forbids ordered comparisons of pointers to functions"),
        ("pedantic:zero-order", "pedantic", "ordered comparison of pointer with integer zero"),
        ("pedantic:register", "pedantic", "ISO C forbids subscripting 'register' array"),
        ("pedantic:expression", "pedantic", "{} is not {} constant expression"),
        ("pedantic:array-qualifiers", "before-c23",
         "invalid use of pointers to arrays with different qualifiers in ISO C before C2X"),
    ),
}  # fmt: skip
RECORDS = {key: WarningRecord(key, group, text, file) for file, rows in _RECORDS.items() for key, group, text in rows}
