/* Classes of wide characters: in the C locale, those of ASCII. */

#include <ctype.h>
#include <string.h>
#include <wctype.h>

#define ASCII 128

#define CLASS(name) \
    int isw##name(wint_t c) \
    { \
        return c < ASCII && is##name((int)c); \
    }

CLASS(alnum)
CLASS(alpha)
CLASS(blank)
CLASS(cntrl)
CLASS(digit)
CLASS(graph)
CLASS(lower)
CLASS(print)
CLASS(punct)
CLASS(space)
CLASS(upper)
CLASS(xdigit)

static const struct {
    const char *name;
    wctype_t is;
} classes[] = {
    {"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank}, {"cntrl", iscntrl}, {"digit", isdigit},
    {"graph", isgraph}, {"lower", islower}, {"print", isprint}, {"punct", ispunct}, {"space", isspace},
    {"upper", isupper}, {"xdigit", isxdigit}
};

wint_t towlower(wint_t c)
{
    return c < ASCII ? (wint_t)tolower((int)c) : c;
}

wint_t towupper(wint_t c)
{
    return c < ASCII ? (wint_t)toupper((int)c) : c;
}

wctype_t wctype(const char *name)
{
    unsigned i;

    for (i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0)
            return classes[i].is;
    return NULL;
}

int iswctype(wint_t c, wctype_t is)
{
    return is != NULL && c < ASCII && is((int)c);
}

wctrans_t wctrans(const char *name)
{
    if (strcmp(name, "tolower") == 0)
        return tolower;
    return strcmp(name, "toupper") == 0 ? toupper : NULL;
}

wint_t towctrans(wint_t c, wctrans_t to)
{
    return to != NULL && c < ASCII ? (wint_t)to((int)c) : c;
}
