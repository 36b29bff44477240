/* fnmatch: names against patterns of the shell. */

#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>
#include <wctype.h>

static int fold(int c, int flags)
{
    return flags & FNM_CASEFOLD ? tolower(c) : c;
}

/* Reads the name between `[:` and `:]`, or their kin with `.` and `=`; returns the place behind them, NULL if they do
   not end. */
static const char *read_name(const char *p, char *name, size_t size)
{
    char kind = p[1];
    size_t length = 0;

    for (p += 2; *p && !(*p == kind && p[1] == ']'); p++)
        if (length < size - 1)
            name[length++] = *p;
    name[length] = 0;
    return *p ? p + 2 : NULL;
}

/* Reads a character of a bracket, which may be written as `[.x.]`; returns the place behind it, NULL if the pattern
   ends. */
static const char *read_member(const char *p, int *member, int flags)
{
    char name[4];

    if (*p == '[' && p[1] == '.') {
        const char *next = read_name(p, name, sizeof name);

        *member = (unsigned char)name[0];
        return next && name[0] && !name[1] ? next : NULL;
    }
    if (*p == '\\' && !(flags & FNM_NOESCAPE))
        p++;
    *member = (unsigned char)*p;
    return *p ? p + 1 : NULL;
}

/* Looks for a character in a bracket; returns the place behind the bracket, NULL if it is not there. */
static const char *in_bracket(const char *p, int c, int flags)
{
    const char *begin = p;
    int inverted = *p == '!' || *p == '^', found = 0;
    const char *start = p += inverted;
    char name[16];

    while (*p != ']' || p == start) {
        int low, high;

        if (*p == '[' && (p[1] == ':' || p[1] == '=')) {
            int is_class = p[1] == ':';
            const char *next = read_name(p, name, sizeof name);

            if (next) {
                found |= is_class ? iswctype(c, wctype(name)) != 0 : fold((unsigned char)name[0], flags) == c;
                p = next;
                continue;
            }
        }
        p = read_member(p, &low, flags);
        high = low;
        if (p && *p == '-' && p[1] != ']' && p[1])
            p = read_member(p + 1, &high, flags);
        if (!p)
            return c == '[' ? begin : NULL; /* it does not end, so the first character stands for itself */
        if (fold(low, flags) <= c && c <= fold(high, flags))
            found = 1;
    }
    return found != inverted ? p + 1 : NULL;
}

static int is_hidden(const char *name, const char *start, int flags)
{
    return *name == '.' && flags & FNM_PERIOD && (name == start || (flags & FNM_PATHNAME && name[-1] == '/'));
}

/* Matches up to the end; a star tries all that it may stand for from where the last one gave up. */
int fnmatch(const char *pattern, const char *name, int flags)
{
    const char *p = pattern, *n = name, *star = NULL, *retry = NULL;

    while (*n || *p) {
        int c = fold((unsigned char)*n, flags), slash = *n == '/' && flags & FNM_PATHNAME;
        int hidden = is_hidden(n, name, flags);
        const char *next = NULL;

        if (*p == 0 && *n == '/' && flags & FNM_LEADING_DIR)
            return 0;
        if (*p == '*' && !hidden) {
            star = ++p;
            retry = n;
            continue;
        }
        if (*p == '?' && *n && !slash && !hidden)
            next = p + 1;
        else if (*p == '[' && *n && !slash && !hidden)
            next = in_bracket(p + 1, c, flags);
        else if (*p && *p != '*' && *p != '?') {
            const char *literal = *p == '\\' && p[1] && !(flags & FNM_NOESCAPE) ? p + 1 : p;

            next = *n && fold((unsigned char)*literal, flags) == c ? literal + 1 : NULL;
        }
        if (next) {
            p = next;
            n++;
        } else if (star && *retry && !(*retry == '/' && flags & FNM_PATHNAME)) {
            p = star;
            n = ++retry;
        } else
            return FNM_NOMATCH;
    }
    return 0;
}
