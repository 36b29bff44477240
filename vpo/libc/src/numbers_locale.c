/* Numbers in text, in a locale that is given: there is only the C locale. */

#include <stdlib.h>

#define IN_LOCALE(type, name) \
    type name##_l(const char *text, char **end, locale_t locale) \
    { \
        (void)locale; \
        return name(text, end); \
    }

#define IN_LOCALE_AND_BASE(type, name) \
    type name##_l(const char *text, char **end, int base, locale_t locale) \
    { \
        (void)locale; \
        return name(text, end, base); \
    }

IN_LOCALE(double, strtod)
IN_LOCALE(float, strtof)
IN_LOCALE(long double, strtold)
IN_LOCALE_AND_BASE(long, strtol)
IN_LOCALE_AND_BASE(unsigned long, strtoul)
IN_LOCALE_AND_BASE(long long, strtoll)
IN_LOCALE_AND_BASE(unsigned long long, strtoull)
