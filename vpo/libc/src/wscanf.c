/* wscanf and its kin: by vfscanf, with the format, and strings, as bytes. */

#include <stdlib.h>
#include "stream.h"
#include "wide.h"

int vfwscanf(FILE *f, const wchar_t *format, va_list ap)
{
    char *narrow = __narrow(format);
    int count = narrow ? vfscanf(f, narrow, ap) : EOF;

    free(narrow);
    return count;
}

int vwscanf(const wchar_t *format, va_list ap)
{
    return vfwscanf(stdin, format, ap);
}

int vswscanf(const wchar_t *string, const wchar_t *format, va_list ap)
{
    char *narrow = __narrow(format), *text = __narrow(string);
    int count = narrow && text ? vsscanf(text, narrow, ap) : EOF;

    free(narrow);
    free(text);
    return count;
}

int fwscanf(FILE *f, const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfwscanf(f, format, ap);
    va_end(ap);
    return count;
}

int wscanf(const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vfwscanf(stdin, format, ap);
    va_end(ap);
    return count;
}

int swscanf(const wchar_t *string, const wchar_t *format, ...)
{
    va_list ap;
    int count;

    va_start(ap, format);
    count = vswscanf(string, format, ap);
    va_end(ap);
    return count;
}
