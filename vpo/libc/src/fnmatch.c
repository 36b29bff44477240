/* fnmatch: names against patterns of the shell. */

#include <ctype.h>
#include <fnmatch.h>
#include <stddef.h>

static int fold(int c, int flags)
{
    return flags & FNM_CASEFOLD ? tolower(c) : c;
}

/* Looks for a character in a bracket; returns the place behind the bracket, NULL if it is not there. */
static const char *in_bracket(const char *p, int c, int flags)
{
    const char *begin = p;
    int inverted = *p == '!' || *p == '^', found = 0;
    const char *start = p += inverted;

    for (; *p != ']' || p == start; p++) {
        int low, high;

        if (*p == '\\' && !(flags & FNM_NOESCAPE))
            p++;
        if (*p == 0)
            return c == '[' ? begin : NULL; /* it does not end, so the first character stands for itself */
        low = high = (unsigned char)*p;
        if (p[1] == '-' && p[2] != ']' && p[2]) {
            high = (unsigned char)p[2];
            p += 2;
        }
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
