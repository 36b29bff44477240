/* %ls of printf: wide characters, each of which is one byte. */

#include <errno.h>
#include "printf.h"

int __put_wide_string(FILE *f, const struct spec *spec, const wchar_t *string)
{
    static const wchar_t null[] = L"(null)";
    int i, length, padding;

    if (string == NULL)
        string = null;
    for (length = 0; (spec->precision < 0 || length < spec->precision) && string[length]; length++)
        if (string[length] < 0 || string[length] > 127) {
            f->_flags |= FAILED;
            errno = EILSEQ;
            return 0;
        }
    padding = spec->width - length;
    if (padding > 0 && !(spec->flags & LEFT))
        __pad(f, BLANKS, padding);
    for (i = 0; i < length; i++)
        putc((int)string[i], f);
    if (padding > 0 && spec->flags & LEFT)
        __pad(f, BLANKS, padding);
    return padding > 0 ? length + padding : length;
}
