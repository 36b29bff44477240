/* ungetc */

#include "stream.h"

int ungetc(int c, FILE *f)
{
    if (c == EOF || !(f->_flags & CAN_READ))
        return EOF;
    if (f->_read_end == NULL) {
        __flush(f);
        f->_write_end = f->_buffer - SLACK;
        f->_next = f->_read_end = f->_buffer;
    }
    if (f->_next == f->_buffer - SLACK)
        return EOF;
    *--f->_next = c;
    f->_flags &= ~AT_EOF;
    return (unsigned char)c;
}
