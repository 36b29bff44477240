/* strverscmp: numbers in strings count as numbers, and such that begin with 0 as fractions. */

#include <ctype.h>
#include <string.h>

#define IS_DIGIT(c) isdigit((unsigned char)(c))

int strverscmp(const char *a, const char *b)
{
    size_t i, start = 0, end_a, end_b;
    int zeros = 1;

    for (i = 0; a[i] == b[i]; i++) {
        if (a[i] == 0)
            return 0;
        if (!IS_DIGIT(a[i])) {
            start = i + 1;
            zeros = 1;
        } else if (a[i] != '0')
            zeros = 0;
    }
    if ((a[start] - '1' + 0u) < 9 && (b[start] - '1' + 0u) < 9) { /* integers: the longer one is greater */
        for (end_a = i; IS_DIGIT(a[end_a]); end_a++)
            ;
        for (end_b = i; IS_DIGIT(b[end_b]); end_b++)
            ;
        if (end_a != end_b)
            return end_a > end_b ? 1 : -1;
    } else if (zeros && start < i && (IS_DIGIT(a[i]) || IS_DIGIT(b[i]))) /* one has fewer zeros */
        return (unsigned char)(a[i] - '0') - (unsigned char)(b[i] - '0');
    return (unsigned char)a[i] - (unsigned char)b[i];
}
