/* Wide strings in a locale that is given, of which there is only the C locale. */

#include <wchar.h>

int wcscoll_l(const wchar_t *left, const wchar_t *right, locale_t locale)
{
    (void)locale;
    return wcscoll(left, right);
}

size_t wcsxfrm_l(wchar_t *to, const wchar_t *from, size_t limit, locale_t locale)
{
    (void)locale;
    return wcsxfrm(to, from, limit);
}

int wcscasecmp_l(const wchar_t *left, const wchar_t *right, locale_t locale)
{
    (void)locale;
    return wcscasecmp(left, right);
}

int wcsncasecmp_l(const wchar_t *left, const wchar_t *right, size_t limit, locale_t locale)
{
    (void)locale;
    return wcsncasecmp(left, right, limit);
}
