/* fopencookie: a stream whose bytes a program's own functions read and write. */

#include <errno.h>
#include <stdlib.h>
#include "stream.h"

struct cookie_stream {
    struct _functions stream;
    cookie_io_functions_t own;
    void *cookie;
    unsigned char room[SLACK + 512]; /* of what was read ahead; what is written goes on at once */
};

static int refuse(FILE *f)
{
    f->_flags |= FAILED;
    errno = EBADF;
    return EOF;
}

static size_t put(FILE *f, const unsigned char *data, size_t size)
{
    struct cookie_stream *s = (struct cookie_stream *)f;
    size_t done = 0;

    if (!(f->_flags & CAN_WRITE)) {
        refuse(f);
        return 0;
    }
    if (f->_read_end)
        __stop_reading(f);
    if (s->own.write == NULL)
        return size;
    while (done < size) {
        ssize_t count = s->own.write(s->cookie, (const char *)data + done, size - done);

        if (count <= 0) {
            f->_flags |= FAILED;
            break;
        }
        done += count;
    }
    return done;
}

static int fill(FILE *f)
{
    struct cookie_stream *s = (struct cookie_stream *)f;
    ssize_t got;

    if (!(f->_flags & CAN_READ))
        return refuse(f);
    got = s->own.read ? s->own.read(s->cookie, (char *)f->_buffer, f->_size) : 0;
    f->_write_end = f->_buffer - SLACK;
    f->_next = f->_read_end = f->_buffer;
    if (got <= 0) {
        f->_flags |= got ? FAILED : AT_EOF;
        return EOF;
    }
    f->_read_end += got;
    return *f->_next++;
}

static long seek(FILE *f, long offset, int whence)
{
    struct cookie_stream *s = (struct cookie_stream *)f;
    off_t position = offset;

    if (s->own.seek == NULL) {
        errno = EINVAL;
        return -1;
    }
    return s->own.seek(s->cookie, &position, whence) ? -1 : position;
}

static int finish(FILE *f)
{
    struct cookie_stream *s = (struct cookie_stream *)f;

    return s->own.close ? s->own.close(s->cookie) : 0;
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t own)
{
    int how, flags = __parse_mode(mode, &how);
    struct cookie_stream *s;
    FILE *f;

    if (flags == 0) {
        errno = EINVAL;
        return NULL;
    }
    s = malloc(sizeof *s);
    if (s == NULL)
        return NULL;
    s->own = own;
    s->cookie = cookie;
    s->stream.put = put;
    s->stream.fill = fill;
    s->stream.seek = seek;
    s->stream.close = finish;
    f = &s->stream.file;
    f->_fd = -1;
    f->_flags = STRING | FUNCTIONS | ALLOCATED | flags;
    f->_buffer = s->room + SLACK;
    f->_size = sizeof s->room - SLACK;
    f->_next = f->_buffer;
    f->_read_end = NULL;
    f->_write_end = f->_buffer - SLACK;
    return f;
}
