/* aligned_alloc: what malloc aligns suffices for all types; more is refused. */

#include <errno.h>
#include <stdlib.h>

void *aligned_alloc(size_t alignment, size_t size)
{
    if (alignment <= 2 * sizeof(size_t))
        return malloc(size);
    errno = EINVAL;
    return NULL;
}
