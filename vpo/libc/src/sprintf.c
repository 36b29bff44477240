/* sprintf, snprintf */

#include <stdio.h>

int sprintf(char *string, const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vsprintf(string, format, ap);
    va_end(ap);
    return count;
}

int snprintf(char *string, size_t size, const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vsnprintf(string, size, format, ap);
    va_end(ap);
    return count;
}
