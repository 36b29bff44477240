/* puts */

#include <string.h>
#include "stream.h"

int puts(const char *string)
{
    size_t length = strlen(string);

    if (__put(string, length, stdout) != length || putchar('\n') == EOF)
        return EOF;
    return length + 1; /* as in other libraries, though any number that is not negative would do */
}
