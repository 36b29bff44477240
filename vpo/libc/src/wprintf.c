/* wprintf and its kin: by vfprintf, with the format as bytes. */

#include <errno.h>
#include <stdlib.h>
#include "stream.h"
#include "wide.h"

int vfwprintf(FILE *f, const wchar_t *format, va_list ap)
{
    char *narrow = __narrow(format);
    int count = narrow ? vfprintf(f, narrow, ap) : -1;

    free(narrow);
    return count;
}

int vwprintf(const wchar_t *format, va_list ap)
{
    return vfwprintf(stdout, format, ap);
}

int vswprintf(wchar_t *string, size_t size, const wchar_t *format, va_list ap)
{
    char *narrow = __narrow(format), *text = malloc(size + 1);
    int i, count = narrow && text ? vsnprintf(text, size + 1, narrow, ap) : -1;

    if (count >= 0 && (size_t)count >= size) {
        count = -1;
        errno = EOVERFLOW;
    }
    for (i = 0; i <= count; i++)
        string[i] = (unsigned char)text[i];
    free(narrow);
    free(text);
    return count;
}

int fwprintf(FILE *f, const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfwprintf(f, format, ap);
    va_end(ap);
    return count;
}

int wprintf(const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfwprintf(stdout, format, ap);
    va_end(ap);
    return count;
}

int swprintf(wchar_t *string, size_t size, const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vswprintf(string, size, format, ap);
    va_end(ap);
    return count;
}
