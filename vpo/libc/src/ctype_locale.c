/* Classes of characters in a locale that is given: there is only the C locale. */

#include <ctype.h>

#define IN_LOCALE(name) \
    int name##_l(int c, locale_t locale) \
    { \
        (void)locale; \
        return name(c); \
    }

IN_LOCALE(isalnum)
IN_LOCALE(isalpha)
IN_LOCALE(isblank)
IN_LOCALE(iscntrl)
IN_LOCALE(isdigit)
IN_LOCALE(isgraph)
IN_LOCALE(islower)
IN_LOCALE(isprint)
IN_LOCALE(ispunct)
IN_LOCALE(isspace)
IN_LOCALE(isupper)
IN_LOCALE(isxdigit)
IN_LOCALE(tolower)
IN_LOCALE(toupper)
