/* <stdio_ext.h>: what a stream does and has in its buffer */

#include <stdio_ext.h>
#include "stream.h"

size_t __fbufsize(FILE *f)
{
    return f->_size;
}

/* Bytes that are written, and not yet flushed. */
size_t __fpending(FILE *f)
{
    return f->_read_end ? 0 : (size_t)(f->_next - f->_buffer);
}

/* Bytes that are read, and not yet taken. */
size_t __freadahead(FILE *f)
{
    return f->_read_end ? (size_t)(f->_read_end - f->_next) : 0;
}

int __freading(FILE *f)
{
    return !(f->_flags & CAN_WRITE) || f->_read_end != NULL;
}

int __fwriting(FILE *f)
{
    return !(f->_flags & CAN_READ) || __fpending(f) != 0;
}

int __freadable(FILE *f)
{
    return (f->_flags & CAN_READ) != 0;
}

int __fwritable(FILE *f)
{
    return (f->_flags & CAN_WRITE) != 0;
}

int __flbf(FILE *f)
{
    return (f->_flags & LINE_BUFFERED) != 0;
}

int __fsetlocking(FILE *f, int kind)
{
    (void)f;
    (void)kind;
    return FSETLOCKING_INTERNAL;
}

/* Forgets what the buffer holds. */
void __fpurge(FILE *f)
{
    f->_next = f->_buffer;
    f->_read_end = NULL;
}

void __fseterr(FILE *f)
{
    f->_flags |= FAILED;
}

void _flushlbf(void)
{
    fflush(NULL);
}

/* Returns the bytes that are read ahead, and how many; NULL if there are none. */
const char *__freadptr(FILE *f, size_t *size)
{
    *size = __freadahead(f);
    return *size ? (const char *)f->_next : NULL;
}

void __freadptrinc(FILE *f, size_t count)
{
    f->_next += count;
}
