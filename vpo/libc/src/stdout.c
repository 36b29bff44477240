/* The standard output: written when its buffer is full, and at exit. */

#include "stream.h"

static unsigned char buffer[SLACK + BUFSIZ];

FILE __stdout = {
    ._next = buffer + SLACK,
    ._write_end = buffer,
    ._buffer = buffer + SLACK,
    ._size = BUFSIZ,
    ._fd = 1,
    ._flags = CAN_WRITE,
};
