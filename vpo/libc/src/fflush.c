/* fflush */

#include "stream.h"

int fflush(FILE *f)
{
    if (f) {
        if (f->_read_end)
            __stop_reading(f);
        return __flush(f);
    }
    if (__flush_all)
        __flush_all();
    return 0;
}
