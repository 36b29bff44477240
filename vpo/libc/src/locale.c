/* setlocale, localeconv: the C locale is the only one. */

#include <limits.h>
#include <locale.h>
#include <string.h>

char *setlocale(int category, const char *name)
{
    (void)category;
    if (name && *name && strcmp(name, "C") && strcmp(name, "POSIX"))
        return NULL;
    return "C";
}

struct lconv *localeconv(void)
{
    static struct lconv conventions = {
        ".", "", "", "", "", "", "", "", "", "",
        CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX,
        CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX, CHAR_MAX
    };

    return &conventions;
}
