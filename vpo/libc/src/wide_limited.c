/* mbsnrtowcs, wcsnrtombs, wcpncpy: of sources or targets with a limit. */

#include <wchar.h>

size_t mbsnrtowcs(wchar_t *to, const char **from, size_t bytes, size_t limit, mbstate_t *state)
{
    const char *at = *from;
    size_t count;

    for (count = 0; bytes > 0 && (to == NULL || count < limit); count++, at++, bytes--) {
        wchar_t wide;
        size_t used = mbrtowc(&wide, at, 1, state);

        if (used == (size_t)-1) {
            count = used;
            break;
        }
        if (to)
            to[count] = wide;
        if (used == 0) {
            at = NULL;
            break;
        }
    }
    if (to)
        *from = at;
    return count;
}

size_t wcsnrtombs(char *to, const wchar_t **from, size_t wides, size_t limit, mbstate_t *state)
{
    const wchar_t *at = *from;
    size_t count;

    for (count = 0; wides > 0 && (to == NULL || count < limit); count++, at++, wides--) {
        char narrow;

        if (wcrtomb(&narrow, *at, state) == (size_t)-1) {
            count = (size_t)-1;
            break;
        }
        if (to)
            to[count] = narrow;
        if (*at == 0) {
            at = NULL;
            break;
        }
    }
    if (to)
        *from = at;
    return count;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t limit)
{
    size_t length = wcsnlen(from, limit);

    wcsncpy(to, from, limit);
    return to + length;
}
