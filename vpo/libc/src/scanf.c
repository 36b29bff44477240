/* scanf */

#include <stdio.h>

int scanf(const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfscanf(stdin, format, ap);
    va_end(ap);
    return count;
}
