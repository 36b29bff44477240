/* strtold: a long double is a double. */

#include <stdlib.h>

long double strtold(const char *string, char **end)
{
    return strtod(string, end);
}
