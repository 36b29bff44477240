/* The failure of an assertion. */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

void __assert_fail(const char *condition, const char *file, int line, const char *function)
{
    fprintf(stderr, "%s:%d: %s: Assertion `%s' failed.\n", file, line, function, condition);
    abort();
}
