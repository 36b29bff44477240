/* fscanf */

#include <stdio.h>

int fscanf(FILE *f, const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfscanf(f, format, ap);
    va_end(ap);
    return count;
}
