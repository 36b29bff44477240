/* fseek, fseeko, ftell, ftello, rewind, fgetpos, fsetpos */

#include "stream.h"

int fseek(FILE *f, long offset, int whence)
{
    if (f->_read_end)
        __stop_reading(f);
    else if (__flush(f))
        return -1;
    if (__seek_stream(f, offset, whence) < 0)
        return -1;
    f->_flags &= ~AT_EOF;
    return 0;
}

long ftell(FILE *f)
{
    long position = __seek_stream(f, 0L, f->_flags & APPENDING && f->_next > f->_buffer ? SEEK_END : SEEK_CUR);

    if (position < 0)
        return -1;
    return position + (long)(f->_next - (f->_read_end ? f->_read_end : f->_buffer));
}

void rewind(FILE *f)
{
    fseek(f, 0L, SEEK_SET);
    f->_flags &= ~(AT_EOF | FAILED);
}

int fgetpos(FILE *f, fpos_t *position)
{
    *position = ftell(f);
    return *position < 0 ? -1 : 0;
}

int fsetpos(FILE *f, const fpos_t *position)
{
    return fseek(f, *position, SEEK_SET);
}

int fseeko(FILE *f, off_t offset, int whence)
{
    return fseek(f, offset, whence);
}

off_t ftello(FILE *f)
{
    return ftell(f);
}
