/* printf */

#include <stdio.h>

int printf(const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfprintf(stdout, format, ap);
    va_end(ap);
    return count;
}
