/* feof, ferror, clearerr, fileno */

#include "stream.h"

int feof(FILE *f)
{
    return (f->_flags & AT_EOF) != 0;
}

int ferror(FILE *f)
{
    return (f->_flags & FAILED) != 0;
}

void clearerr(FILE *f)
{
    f->_flags &= ~(AT_EOF | FAILED);
}

int fileno(FILE *f)
{
    return f->_fd;
}
