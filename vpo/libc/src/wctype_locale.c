/* Classes of wide characters in a locale that is given: there is only the C locale. */

#include <wctype.h>

#define IN_LOCALE(type, name) \
    type name##_l(wint_t c, locale_t locale) \
    { \
        (void)locale; \
        return name(c); \
    }

IN_LOCALE(int, iswalnum)
IN_LOCALE(int, iswalpha)
IN_LOCALE(int, iswblank)
IN_LOCALE(int, iswcntrl)
IN_LOCALE(int, iswdigit)
IN_LOCALE(int, iswgraph)
IN_LOCALE(int, iswlower)
IN_LOCALE(int, iswprint)
IN_LOCALE(int, iswpunct)
IN_LOCALE(int, iswspace)
IN_LOCALE(int, iswupper)
IN_LOCALE(int, iswxdigit)
IN_LOCALE(wint_t, towlower)
IN_LOCALE(wint_t, towupper)

wctype_t wctype_l(const char *name, locale_t locale)
{
    (void)locale;
    return wctype(name);
}

int iswctype_l(wint_t c, wctype_t is, locale_t locale)
{
    (void)locale;
    return iswctype(c, is);
}

wctrans_t wctrans_l(const char *name, locale_t locale)
{
    (void)locale;
    return wctrans(name);
}

wint_t towctrans_l(wint_t c, wctrans_t to, locale_t locale)
{
    (void)locale;
    return towctrans(c, to);
}
