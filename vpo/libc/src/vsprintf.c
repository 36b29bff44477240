/* vsprintf, vsnprintf: to a stream that ends in a string. */

#include "stream.h"

/* Prints where there is room for `room` characters and the final zero. */
static int print(unsigned char *string, size_t room, const char *format, va_list ap)
{
    FILE f;
    int count;

    f._flags = STRING | CAN_WRITE;
    f._next = f._buffer = string;
    f._write_end = string + room;
    f._read_end = NULL;
    count = vfprintf(&f, format, ap);
    *f._next = 0;
    return count;
}

int vsprintf(char *string, const char *format, va_list ap)
{
    return print((unsigned char *)string, PTRDIFF_MAX, format, ap);
}

int vsnprintf(char *string, size_t size, const char *format, va_list ap)
{
    unsigned char none;

    if (size == 0)
        return print(&none, 0, format, ap);
    return print((unsigned char *)string, size - 1, format, ap);
}
