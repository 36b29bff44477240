/* free_sized, free_aligned_sized, memalignment: what C23 has beside free and aligned_alloc. */

#include <stdint.h>
#include <stdlib.h>

void free_sized(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

void free_aligned_sized(void *memory, size_t alignment, size_t size)
{
    (void)alignment;
    (void)size;
    free(memory);
}

size_t memalignment(const void *memory)
{
    uintptr_t address = (uintptr_t)memory;

    return (size_t)(address & -address);
}
