/* Multibyte characters: in the C locale, one byte each. */

#include <stdlib.h>

int mblen(const char *string, size_t limit)
{
    return mbtowc(NULL, string, limit);
}

int mbtowc(wchar_t *wide, const char *string, size_t limit)
{
    if (string == NULL)
        return 0;
    if (limit == 0)
        return -1;
    if (wide)
        *wide = (unsigned char)*string;
    return *string != 0;
}

int wctomb(char *string, wchar_t wide)
{
    if (string == NULL)
        return 0;
    if (wide < 0 || wide > 255)
        return -1;
    *string = wide;
    return 1;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t limit)
{
    size_t count;

    for (count = 0; to == NULL || count < limit; count++) {
        if (to)
            to[count] = (unsigned char)from[count];
        if (from[count] == 0)
            break;
    }
    return count;
}

size_t wcstombs(char *to, const wchar_t *from, size_t limit)
{
    size_t count;

    for (count = 0; to == NULL || count < limit; count++) {
        if (from[count] < 0 || from[count] > 255)
            return (size_t)-1;
        if (to)
            to[count] = from[count];
        if (from[count] == 0)
            break;
    }
    return count;
}
