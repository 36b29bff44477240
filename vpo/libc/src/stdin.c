/* The standard input. */

#include "stream.h"

static unsigned char buffer[SLACK + BUFSIZ];

FILE __stdin = {buffer + SLACK, NULL, buffer, buffer + SLACK, BUFSIZ, NULL, 0, CAN_READ, {0}};
