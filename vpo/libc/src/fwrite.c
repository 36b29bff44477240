/* fwrite */

#include "stream.h"

size_t fwrite(const void *data, size_t size, size_t count, FILE *f)
{
    size_t total = size * count;
    size_t done;

    if (total == 0)
        return 0;
    done = __put(data, total, f);
    return done == total ? count : done / size;
}
