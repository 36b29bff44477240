/* hcreate, hsearch, hdestroy */

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static ENTRY *table;
static size_t size, used;

int hcreate(size_t count)
{
    for (size = 8; size < count + count / 2; size *= 2)
        ;
    used = 0;
    table = calloc(size, sizeof *table);
    return table != NULL;
}

void hdestroy(void)
{
    free(table);
    table = NULL;
}

ENTRY *hsearch(ENTRY wanted, ACTION action)
{
    unsigned long hash = 5381;
    const char *at;
    size_t i;

    for (at = wanted.key; *at; at++)
        hash = hash * 33 + (unsigned char)*at;
    for (i = hash & (size - 1); table[i].key; i = (i + 1) & (size - 1))
        if (strcmp(table[i].key, wanted.key) == 0)
            return table + i;
    if (action == FIND || used + 1 == size) {
        errno = action == FIND ? ESRCH : ENOMEM;
        return NULL;
    }
    used++;
    table[i] = wanted;
    return table + i;
}
