/* setvbuf, setbuf */

#include "stream.h"

int setvbuf(FILE *f, char *buffer, int mode, size_t size)
{
    if (mode < _IOFBF || mode > _IONBF)
        return -1;
    __flush(f);
    f->_flags &= ~(UNBUFFERED | LINE_BUFFERED);
    if (mode == _IONBF) {
        f->_flags |= UNBUFFERED;
        f->_buffer = f->_small + SLACK;
        f->_size = 1;
    } else {
        if (mode == _IOLBF)
            f->_flags |= LINE_BUFFERED;
        if (buffer && size > SLACK) {
            f->_buffer = (unsigned char *)buffer + SLACK;
            f->_size = size - SLACK;
        }
    }
    f->_next = f->_buffer;
    f->_read_end = NULL;
    f->_write_end = f->_buffer - SLACK;
    return 0;
}

void setbuf(FILE *f, char *buffer)
{
    setvbuf(f, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
