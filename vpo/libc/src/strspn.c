/* strspn, strcspn, strpbrk: a table of the set's members, one bit a character. */

#include <string.h>

static void make_set(unsigned char *set, const char *members)
{
    const unsigned char *member = (const unsigned char *)members;

    memset(set, 0, 32);
    for (; *member; member++)
        set[*member >> 3] |= 1 << (*member & 7);
}

size_t strspn(const char *string, const char *accept)
{
    const unsigned char *at = (const unsigned char *)string;
    unsigned char set[32];

    make_set(set, accept);
    while (set[*at >> 3] >> (*at & 7) & 1)
        at++;
    return at - (const unsigned char *)string;
}

size_t strcspn(const char *string, const char *reject)
{
    const unsigned char *at = (const unsigned char *)string;
    unsigned char set[32];

    make_set(set, reject);
    set[0] |= 1;
    while (!(set[*at >> 3] >> (*at & 7) & 1))
        at++;
    return at - (const unsigned char *)string;
}

char *strpbrk(const char *string, const char *accept)
{
    string += strcspn(string, accept);
    return *string ? (char *)string : NULL;
}
