/* fprintf */

#include <stdio.h>

int fprintf(FILE *f, const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfprintf(f, format, ap);
    va_end(ap);
    return count;
}
