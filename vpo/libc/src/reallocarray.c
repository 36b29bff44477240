/* reallocarray, posix_memalign, memalign, valloc */

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

void *reallocarray(void *old, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, count * size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    void *place;

    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    place = aligned_alloc(alignment, size);
    if (place == NULL)
        return ENOMEM;
    *result = place;
    return 0;
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
    return aligned_alloc(4096, size);
}
