/* Strings compared in a locale that is given: there is only the C locale. */

#include <string.h>

int strcoll_l(const char *left, const char *right, locale_t locale)
{
    (void)locale;
    return strcmp(left, right);
}

size_t strxfrm_l(char *target, const char *source, size_t limit, locale_t locale)
{
    (void)locale;
    return strxfrm(target, source, limit);
}

char *strerror_l(int number, locale_t locale)
{
    (void)locale;
    return strerror(number);
}

int strcasecmp_l(const char *left, const char *right, locale_t locale)
{
    (void)locale;
    return strcasecmp(left, right);
}

int strncasecmp_l(const char *left, const char *right, size_t limit, locale_t locale)
{
    (void)locale;
    return strncasecmp(left, right, limit);
}
