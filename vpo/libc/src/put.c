/* __put: all output of stdio but single bytes goes through here; __flush writes what a buffer holds. */

#include <errno.h>
#include <string.h>
#include "stream.h"

#define SHORT 12 /* memcpy is not worth its call for less */

FILE *__streams; /* those that have had output */

static void flush_all(void)
{
    FILE *f;

    for (f = __streams; f; f = f->_link)
        __flush(f);
}

/* Writes `size` bytes; returns how many it could. */
long __write_all(int fd, const unsigned char *data, size_t size)
{
    size_t done = 0;

    while (done < size) {
        long count = __result(__ease_syscall(__SYS_write, (long)fd, (long)(data + done), (long)(size - done)));

        if (count <= 0)
            break;
        done += count;
    }
    return done;
}

int __flush(FILE *f)
{
    size_t size = f->_next - f->_buffer;

    if (f->_read_end || f->_next <= f->_buffer)
        return 0;
    f->_next = f->_buffer;
    if ((size_t)__write_all(f->_fd, f->_buffer, size) == size)
        return 0;
    f->_flags |= FAILED;
    return EOF;
}

/* Makes a stream ready for output. */
static int start_writing(FILE *f)
{
    if (!(f->_flags & CAN_WRITE)) {
        f->_flags |= FAILED;
        errno = EBADF;
        return 0;
    }
    if (f->_read_end)
        __stop_reading(f);
    if (!(f->_flags & (UNBUFFERED | LINE_BUFFERED)))
        f->_write_end = f->_buffer + f->_size;
    if (!(f->_flags & LISTED)) {
        f->_flags |= LISTED;
        f->_link = __streams;
        __streams = f;
        __flush_all = flush_all;
    }
    return 1;
}

/* Output that does not fit the buffer, or that must not stay there. */
static size_t put_slowly(const unsigned char *data, size_t size, FILE *f)
{
    size_t left = size;

    if (f->_flags & STRING) {
        if (f->_flags & FUNCTIONS)
            return ((struct _functions *)f)->put(f, data, size);
        if (f->_next < f->_write_end) {
            memcpy(f->_next, data, f->_write_end - f->_next);
            f->_next = f->_write_end;
        }
        return size;
    }
    if (!start_writing(f))
        return 0;
    while (left) {
        size_t part = f->_buffer + f->_size - f->_next;

        if (part > left)
            part = left;
        if (f->_next == f->_buffer && (left >= f->_size || f->_flags & UNBUFFERED)) {
            part = __write_all(f->_fd, data, left);
            left -= part;
            if (left)
                f->_flags |= FAILED;
            return size - left;
        }
        memcpy(f->_next, data, part);
        f->_next += part;
        data += part;
        left -= part;
        if (f->_next == f->_buffer + f->_size && __flush(f))
            return size - left;
    }
    if (f->_flags & LINE_BUFFERED && memchr(data - size, '\n', size))
        __flush(f);
    return size;
}

size_t __put(const void *data, size_t size, FILE *f)
{
    unsigned char *to = f->_next;
    unsigned char *end = to + size;

    if (f->_write_end - to < (ptrdiff_t)size)
        return put_slowly(data, size, f);
    f->_next = end;
    if (size >= SHORT)
        memcpy(to, data, size);
    else {
        const unsigned char *from = data;

        while (to != end)
            *to++ = *from++;
    }
    return size;
}
