/* fopen, fdopen, fclose */

#include <fcntl.h>
#include <stdlib.h>
#include "stream.h"

/* Returns the flags of a stream of this mode, 0 if there is no such mode; `how` is what open has to be told. */
int __parse_mode(const char *mode, int *how)
{
    int flags;

    switch (*mode++) {
    case 'r':
        flags = CAN_READ;
        *how = 0;
        break;
    case 'w':
        flags = CAN_WRITE;
        *how = O_CREAT | O_TRUNC;
        break;
    case 'a':
        flags = CAN_WRITE | APPENDING;
        *how = O_CREAT | O_APPEND;
        break;
    default:
        return 0;
    }
    for (; *mode; mode++)
        if (*mode == '+')
            flags |= CAN_READ | CAN_WRITE;
        else if (*mode == 'x')
            *how |= O_EXCL;
    *how |= !(flags & CAN_WRITE) ? O_RDONLY : flags & CAN_READ ? O_RDWR : O_WRONLY;
    return flags;
}

/* Lets a stream that has its buffer already use a descriptor. */
int __attach(FILE *f, int fd, int flags)
{
    f->_fd = fd;
    if (fd < 0)
        return 0;
    f->_flags |= flags;
    f->_next = f->_buffer;
    f->_read_end = NULL;
    f->_write_end = f->_buffer - SLACK;
    return 1;
}

/* Opens a file for a stream that has its buffer already. */
int __open_stream(FILE *f, const char *path, const char *mode)
{
    int how, flags = __parse_mode(mode, &how);

    return flags && __attach(f, __open_file(path, how, 0666), flags);
}

static FILE *new_stream(void)
{
    FILE *f = malloc(sizeof(FILE) + SLACK + BUFSIZ);

    if (f == NULL)
        return NULL;
    f->_buffer = (unsigned char *)(f + 1) + SLACK;
    f->_size = BUFSIZ;
    f->_flags = ALLOCATED;
    return f;
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *f = new_stream();

    if (f == NULL || __open_stream(f, path, mode))
        return f;
    free(f);
    return NULL;
}

FILE *fdopen(int fd, const char *mode)
{
    int how, flags = __parse_mode(mode, &how);
    FILE *f = flags ? new_stream() : NULL;

    if (f == NULL || __attach(f, fd, flags))
        return f;
    free(f);
    return NULL;
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
    if (f->_flags & FUNCTIONS ? ((struct _functions *)f)->close(f)
                              : __result(__ease_syscall(__SYS_close, (long)f->_fd)))
        failed = EOF;
    if (f->_flags & ALLOCATED)
        free(f);
    else
        f->_flags = 0;
    return failed;
}
