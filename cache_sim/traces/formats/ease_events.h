/* Read the events of a trace: `ease trace convert FILE --to events -o - | ./consumer`.

   A record has 16 bytes, least significant byte first: address (8), site (4), size (2), kind (1), 0.  Of a branch, the size is 1 if
   it was taken; of a transfer, the address is where control goes; of a system call, its number in the run. */
#ifndef EASE_EVENTS_H
#define EASE_EVENTS_H

#include <stdint.h>
#include <stdio.h>

enum ease_kind { EASE_READ, EASE_WRITE, EASE_FETCH, EASE_BLOCK, EASE_BRANCH, EASE_TRANSFER, EASE_SYSTEM };

struct ease_event {
    uint64_t address;
    uint32_t site; /* the number of the instruction in its program */
    uint16_t size;
    uint8_t kind;
};

/* Read the next event; returns 1, or 0 at the end, or -1 if the file ends within a record. */
static inline int ease_next(FILE *file, struct ease_event *event)
{
    unsigned char bytes[16];
    size_t got = fread(bytes, 1, sizeof bytes, file);
    int i;
    if (got != sizeof bytes) return got ? -1 : 0;
    event->address = 0;
    for (i = 7; i >= 0; i--) event->address = event->address << 8 | bytes[i];
    event->site = bytes[8] | (uint32_t)bytes[9] << 8 | (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    event->size = (uint16_t)(bytes[12] | bytes[13] << 8);
    event->kind = bytes[14];
    return 1;
}

#endif
