/* sscanf, vsscanf: from a stream that is a string. */

#include <string.h>
#include "stream.h"

int vsscanf(const char *string, const char *format, va_list ap)
{
    FILE f;

    f._flags = STRING | CAN_READ;
    f._next = f._buffer = (unsigned char *)string;
    f._read_end = f._next + strlen(string);
    f._write_end = NULL;
    return vfscanf(&f, format, ap);
}

int sscanf(const char *string, const char *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vsscanf(string, format, ap);
    va_end(ap);
    return count;
}
