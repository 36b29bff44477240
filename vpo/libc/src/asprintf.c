/* asprintf, vasprintf, dprintf, vdprintf */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "stream.h"

int vasprintf(char **result, const char *format, va_list ap)
{
    va_list again;
    int length;

    va_copy(again, ap);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    *result = length < 0 ? NULL : malloc((size_t)length + 1);
    return *result ? vsprintf(*result, format, ap) : -1;
}

int asprintf(char **result, const char *format, ...)
{
    va_list ap;
    int length;

    va_start(ap, format);
    length = vasprintf(result, format, ap);
    va_end(ap);
    return length;
}

int vdprintf(int fd, const char *format, va_list ap)
{
    char *text;
    int length = vasprintf(&text, format, ap);

    if (length >= 0 && __write_all(fd, (unsigned char *)text, length) < length)
        length = -1;
    free(text);
    return length;
}

int dprintf(int fd, const char *format, ...)
{
    va_list ap;
    int length;

    va_start(ap, format);
    length = vdprintf(fd, format, ap);
    va_end(ap);
    return length;
}
