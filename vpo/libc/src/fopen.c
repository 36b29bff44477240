/* fopen, freopen, fclose */

#include <fcntl.h>
#include <stdlib.h>
#include "stream.h"

/* Opens a file for a stream that has its buffer already. */
int __open_stream(FILE *f, const char *path, const char *mode)
{
    int flags, how;

    switch (*mode++) {
    case 'r':
        flags = CAN_READ;
        how = 0;
        break;
    case 'w':
        flags = CAN_WRITE;
        how = O_CREAT | O_TRUNC;
        break;
    case 'a':
        flags = CAN_WRITE | APPENDING;
        how = O_CREAT | O_APPEND;
        break;
    default:
        return 0;
    }
    for (; *mode; mode++)
        if (*mode == '+')
            flags |= CAN_READ | CAN_WRITE;
        else if (*mode == 'x')
            how |= O_EXCL;
    how |= !(flags & CAN_WRITE) ? O_RDONLY : flags & CAN_READ ? O_RDWR : O_WRONLY;
    f->_fd = __open_file(path, how, 0666);
    if (f->_fd < 0)
        return 0;
    f->_flags |= flags;
    f->_next = f->_buffer;
    f->_read_end = NULL;
    f->_write_end = f->_buffer - SLACK;
    return 1;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *f = malloc(sizeof(FILE) + SLACK + BUFSIZ);

    if (f == NULL)
        return NULL;
    f->_buffer = (unsigned char *)(f + 1) + SLACK;
    f->_size = BUFSIZ;
    f->_flags = ALLOCATED;
    if (__open_stream(f, path, mode))
        return f;
    free(f);
    return NULL;
}

FILE *freopen(const char *path, const char *mode, FILE *f)
{
    __flush(f);
    __ease_syscall(__SYS_close, (long)f->_fd);
    f->_flags &= ALLOCATED | LISTED | UNBUFFERED | LINE_BUFFERED;
    return path && __open_stream(f, path, mode) ? f : NULL;
}

int fclose(FILE *f)
{
    int failed = __flush(f);
    FILE **link;

    if (f->_read_end)
        __stop_reading(f);
    if (f->_flags & LISTED)
        for (link = &__streams; *link; link = &(*link)->_link)
            if (*link == f) {
                *link = f->_link;
                break;
            }
    if (__result(__ease_syscall(__SYS_close, (long)f->_fd)))
        failed = EOF;
    if (f->_flags & ALLOCATED)
        free(f);
    else
        f->_flags = 0;
    return failed;
}
