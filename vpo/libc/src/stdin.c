/* The standard input. */

#include "stream.h"

static unsigned char buffer[SLACK + BUFSIZ];

FILE __stdin = {
    ._next = buffer + SLACK,
    ._write_end = buffer,
    ._buffer = buffer + SLACK,
    ._size = BUFSIZ,
    ._fd = 0,
    ._flags = CAN_READ,
};
