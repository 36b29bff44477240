/* What POSIX adds to strings of wide characters, and wcsftime. */

#include <stdlib.h>
#include <time.h>
#include <wctype.h>
#include "wide.h"

size_t wcsnlen(const wchar_t *string, size_t limit)
{
    size_t length = 0;

    while (length < limit && string[length])
        length++;
    return length;
}

wchar_t *wcsdup(const wchar_t *string)
{
    wchar_t *copy = malloc((wcslen(string) + 1) * sizeof *copy);

    return copy ? wcscpy(copy, string) : NULL;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    return wcscpy(to, from) + wcslen(from);
}

int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    for (; count > 0; count--, a++, b++) {
        wint_t left = towlower((wint_t)*a), right = towlower((wint_t)*b);

        if (left != right || left == 0)
            return left < right ? -1 : left > right;
    }
    return 0;
}

int wcscasecmp(const wchar_t *a, const wchar_t *b)
{
    return wcsncasecmp(a, b, (size_t)-1);
}

int wcwidth(wchar_t c)
{
    return c == 0 ? 0 : iswprint((wint_t)c) ? 1 : -1;
}

int wcswidth(const wchar_t *string, size_t limit)
{
    int width = 0;

    for (; limit > 0 && *string; limit--, string++) {
        if (wcwidth(*string) < 0)
            return -1;
        width++;
    }
    return width;
}

size_t wcsftime(wchar_t *string, size_t size, const wchar_t *format, const struct tm *date)
{
    char *narrow = __narrow(format), *text = malloc(size + 1);
    size_t i, length = narrow && text ? strftime(text, size, narrow, date) : 0;

    for (i = 0; i < length; i++)
        string[i] = (unsigned char)text[i];
    if (size > length)
        string[length] = 0;
    free(narrow);
    free(text);
    return length;
}
