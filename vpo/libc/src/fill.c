/* __fill: the slow way to read a byte; how a stream stops reading. */

#include <errno.h>
#include "stream.h"

int __fill(FILE *f)
{
    long got;

    if (f->_flags & (STRING | AT_EOF)) {
        if ((f->_flags & (FUNCTIONS | AT_EOF)) == FUNCTIONS)
            return ((struct _functions *)f)->fill(f);
        f->_flags |= AT_EOF;
        return EOF;
    }
    if (!(f->_flags & CAN_READ)) {
        f->_flags |= FAILED;
        errno = EBADF;
        return EOF;
    }
    if (f->_read_end == NULL)
        __flush(f);
    if (f->_fd == 0 && __flush_all)
        __flush_all(); /* a question appears before its answer is waited for */
    got = __result(__ease_syscall(__SYS_read, (long)f->_fd, (long)f->_buffer, (long)f->_size));
    f->_write_end = f->_buffer - SLACK;
    f->_next = f->_read_end = f->_buffer;
    if (got <= 0) {
        f->_flags |= got ? FAILED : AT_EOF;
        return EOF;
    }
    f->_read_end += got;
    return *f->_next++;
}

/* Gives back what was read ahead. */
void __stop_reading(FILE *f)
{
    if (f->_next != f->_read_end)
        __seek_stream(f, (long)(f->_next - f->_read_end), SEEK_CUR);
    f->_next = f->_buffer;
    f->_read_end = NULL;
}
