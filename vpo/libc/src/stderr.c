/* The standard error: not buffered. */

#include "stream.h"

FILE __stderr = {
    __stderr._small + SLACK, NULL, __stderr._small, __stderr._small + SLACK, 1, NULL, 2, CAN_WRITE | UNBUFFERED, {0}
};
