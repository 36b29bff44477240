/* malloc_usable_size: what the chunk of malloc.c has beside its head. */

#include <malloc.h>

#define HEAD sizeof(size_t)

size_t malloc_usable_size(void *area)
{
    return area ? (((size_t *)area)[-1] & ~(2 * HEAD - 1)) - HEAD : 0;
}
