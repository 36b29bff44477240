/* calloc */

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HALF ((size_t)1 << sizeof(size_t) * 4)

void *calloc(size_t count, size_t size)
{
    size_t total = count * size;
    void *area;

    if ((count | size) >= HALF && size && total / size != count) {
        errno = ENOMEM;
        return NULL;
    }
    area = malloc(total);
    return area ? memset(area, 0, total) : NULL;
}
