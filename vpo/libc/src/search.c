/* lsearch, lfind, insque, remque */

#include <search.h>
#include <string.h>

typedef int comparison(const void *, const void *);

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare)
{
    const char *at = base;
    size_t i;

    for (i = 0; i < *count; i++, at += size)
        if (compare(key, at) == 0)
            return (void *)at;
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare)
{
    void *found = lfind(key, base, count, size, compare);

    return found ? found : memcpy((char *)base + (*count)++ * size, key, size);
}

struct element {
    struct element *next, *previous;
};

void insque(void *element, void *previous)
{
    struct element *new = element, *before = previous;

    new->previous = before;
    new->next = before ? before->next : NULL;
    if (new->next)
        new->next->previous = new;
    if (before)
        before->next = new;
}

void remque(void *element)
{
    struct element *old = element;

    if (old->previous)
        old->previous->next = old->next;
    if (old->next)
        old->next->previous = old->previous;
}
