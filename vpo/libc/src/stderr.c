/* The standard error: not buffered. */

#include "stream.h"

FILE __stderr = {
    ._next = __stderr._small + SLACK,
    ._write_end = __stderr._small,
    ._buffer = __stderr._small + SLACK,
    ._size = 1,
    ._fd = 2,
    ._flags = CAN_WRITE | UNBUFFERED,
};
