/* fputs */

#include <string.h>
#include "stream.h"

int fputs(const char *string, FILE *f)
{
    size_t length = strlen(string);

    return __put(string, length, f) == length ? 0 : EOF;
}
