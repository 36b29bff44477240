/* Searches in linear time, for texts in which a simple search would compare the same bytes again and again:
   Crochemore and Perrin, Two-way string-matching, JACM 38(3), 1991. */

#include <ctype.h>
#include <stddef.h>
#include "libc.h"

static int letter(unsigned char c, int folds)
{
    return folds ? tolower(c) : c;
}

/* The place before the greatest suffix of a pattern, by the order of bytes or its inverse, and the suffix's period. */
static ptrdiff_t before_suffix(const unsigned char *pattern, ptrdiff_t length, ptrdiff_t *period, int inverse,
                               int folds)
{
    ptrdiff_t before = -1, at = 0, ahead = 1;

    *period = 1;
    while (at + ahead < length) {
        int next = letter(pattern[at + ahead], folds), other = letter(pattern[before + ahead], folds);

        if (next == other) {
            if (ahead != *period)
                ahead++;
            else {
                at += *period;
                ahead = 1;
            }
        } else if ((next < other) != inverse) {
            at += ahead;
            ahead = 1;
            *period = at - before;
        } else {
            before = at++;
            ahead = *period = 1;
        }
    }
    return before;
}

static int is_periodic(const unsigned char *pattern, ptrdiff_t length, ptrdiff_t period, int folds)
{
    ptrdiff_t i;

    for (i = 0; i < length; i++)
        if (letter(pattern[i], folds) != letter(pattern[i + period], folds))
            return 0;
    return 1;
}

/* The first place of a pattern of one byte or more in a text; `folds`: capitals are as other letters. */
void *__two_way(const void *text, size_t text_length, const void *part, size_t part_length, int folds)
{
    const unsigned char *at = text, *pattern = part, *last = at + text_length - part_length;
    ptrdiff_t length = (ptrdiff_t)part_length, period, other_period, known = -1, i;
    ptrdiff_t middle = before_suffix(pattern, length, &period, 0, folds);
    ptrdiff_t other = before_suffix(pattern, length, &other_period, 1, folds);
    int periodic;

    if (text_length < part_length)
        return NULL;
    if (other > middle) {
        middle = other;
        period = other_period;
    }
    periodic = is_periodic(pattern, middle + 1, period, folds);
    if (!periodic)
        period = (middle + 1 > length - middle - 1 ? middle + 1 : length - middle - 1) + 1;
    while (at <= last) {
        for (i = (middle > known ? middle : known) + 1; i < length; i++)
            if (letter(pattern[i], folds) != letter(at[i], folds))
                break;
        if (i < length) {
            at += i - middle;
            known = -1;
            continue;
        }
        for (i = middle; i > known; i--)
            if (letter(pattern[i], folds) != letter(at[i], folds))
                break;
        if (i <= known)
            return (void *)at;
        at += period;
        known = periodic ? length - period - 1 : -1; /* so much of the pattern matches there for certain */
    }
    return NULL;
}
