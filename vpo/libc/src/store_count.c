/* %n of printf and scanf */

#include "lengths.h"

void __store_count(void *where, enum length length, int count)
{
    if (IS_WIDE(length))
        *(long long *)where = count;
    else if (length >= LONG)
        *(long *)where = count;
    else if (length == PLAIN)
        *(int *)where = count;
    else if (length == HALF)
        *(short *)where = count;
    else
        *(signed char *)where = count;
}
