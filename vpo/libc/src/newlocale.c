/* newlocale, uselocale, duplocale, freelocale: objects for the only locale there is */

#include <errno.h>
#include <locale.h>
#include <stddef.h>

struct _locale {
    int mask;
};

static const struct _locale only = {LC_ALL_MASK};

locale_t newlocale(int mask, const char *name, locale_t base)
{
    (void)base;
    if (mask & ~LC_ALL_MASK || name == NULL) {
        errno = EINVAL;
        return NULL;
    }
    if (setlocale(LC_ALL, name) == NULL) {
        errno = ENOENT;
        return NULL;
    }
    return &only;
}

locale_t duplocale(locale_t locale)
{
    (void)locale;
    return &only;
}

void freelocale(locale_t locale)
{
    (void)locale;
}

/* Returns the locale that was in use before. */
locale_t uselocale(locale_t locale)
{
    static locale_t current = LC_GLOBAL_LOCALE;
    locale_t before = current;

    if (locale != NULL)
        current = locale;
    return before;
}
