/* fread: the buffer first; whole bufferfuls go straight to where they are wanted. */

#include <string.h>
#include "stream.h"

size_t fread(void *data, size_t size, size_t count, FILE *f)
{
    unsigned char *to = data;
    size_t total = size * count;
    size_t left = total;

    while (left) {
        size_t part = f->_read_end ? f->_read_end - f->_next : 0;

        if (part == 0) {
            int c;

            if (f->_read_end && left >= f->_size && !(f->_flags & (AT_EOF | STRING))) {
                long got = __result(__ease_syscall(__SYS_read, (long)f->_fd, (long)to, (long)left));

                if (got <= 0) {
                    f->_flags |= got ? FAILED : AT_EOF;
                    break;
                }
                to += got;
                left -= got;
                continue;
            }
            c = __fill(f);
            if (c == EOF)
                break;
            *to++ = c;
            left--;
            continue;
        }
        if (part > left)
            part = left;
        memcpy(to, f->_next, part);
        f->_next += part;
        to += part;
        left -= part;
    }
    return left == 0 ? count : (total - left) / size;
}
