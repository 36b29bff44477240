/* The standard output: written when its buffer is full, and at exit. */

#include "stream.h"

static unsigned char buffer[SLACK + BUFSIZ];

FILE __stdout = {buffer + SLACK, NULL, buffer, buffer + SLACK, BUFSIZ, NULL, 1, CAN_WRITE, {0}};
