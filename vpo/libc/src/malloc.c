/* malloc, realloc, free, aligned_alloc: chunks between tags, free ones in bins by size; free neighbours are one chunk.

   A chunk is a head (its size and two flags) and what the program gets.  A free chunk also has links to others of its
   bin, and ends in its size, where the chunk behind it finds it.  Behind the last chunk lies the `top`, which is in no
   bin; beyond `limit` the system has to give more. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "libc.h"

struct chunk {
    size_t head;
    struct chunk *next, *previous;
};

#define HEAD sizeof(size_t)
#define UNIT (2 * HEAD)    /* sizes are multiples of this; what the program gets is aligned to it */
#define LEAST (2 * UNIT)   /* the least size of a chunk */
#define USED 1             /* in `head`: the chunk is in use */
#define PREVIOUS_USED 2    /* in `head`: so is the one before it */
#define SIZE(place) ((place)->head & ~(size_t)(UNIT - 1))
#define AT(place, offset) ((struct chunk *)((char *)(place) + (offset)))
#define LARGEST (~(size_t)0 / 2 - 4 * UNIT)
#define GRAIN ((size_t)16384) /* the system is asked for multiples of this */

#define EXACT 16 /* bins below this hold one size each; those above, all sizes up to the double */
#define BINS 32

static struct chunk *bins[BINS];
static uint32_t occupied; /* bit i: bins[i] is not empty */
static struct chunk *top;
static char *limit;
char *__foreign_break; /* up to where sbrk has got memory for the program itself */

static unsigned bin_of(size_t size)
{
    size_t units = size / UNIT;
    unsigned bin = EXACT;

    if (units < EXACT)
        return units;
    for (units /= 2 * EXACT; units && bin < BINS - 1; units /= 2)
        bin++;
    return bin;
}

static void take_out(struct chunk *chunk)
{
    if (chunk->next)
        chunk->next->previous = chunk->previous;
    if (chunk->previous)
        chunk->previous->next = chunk->next;
    else {
        unsigned bin = bin_of(SIZE(chunk));

        bins[bin] = chunk->next;
        if (chunk->next == NULL)
            occupied &= ~((uint32_t)1 << bin);
    }
}

/* Makes a free chunk of `size` bytes that follows one in use. */
static void put_in(struct chunk *chunk, size_t size)
{
    unsigned bin = bin_of(size);

    chunk->head = size | PREVIOUS_USED;
    *(size_t *)AT(chunk, size - HEAD) = size;
    chunk->previous = NULL;
    chunk->next = bins[bin];
    if (chunk->next)
        chunk->next->previous = chunk;
    else
        occupied |= (uint32_t)1 << bin;
    bins[bin] = chunk;
}

/* A free chunk of at least `size` bytes, if there is one. */
static struct chunk *find(size_t size)
{
    unsigned bin = bin_of(size);
    uint32_t map = occupied >> bin;
    struct chunk *chunk;

    if (map & 1)
        for (chunk = bins[bin]; chunk; chunk = chunk->next)
            if (SIZE(chunk) >= size)
                return chunk;
    map >>= 1;
    if (map == 0)
        return NULL;
    for (bin++; !(map & 1); map >>= 1)
        bin++;
    return bins[bin];
}

#ifdef __SYS_brk
/* Makes the top at least `size` bytes long. */
static int grow(size_t size)
{
    char *wanted, *start = limit;
    struct chunk *place = top;

    if (start == NULL || __foreign_break > start) {
        start = (char *)__ease_syscall(__SYS_brk, 0L);
        start += -(uintptr_t)start & (UNIT - 1);
        place = AT(start, HEAD);
    }
    wanted = (char *)place + ((size + 2 * HEAD + GRAIN - 1) & ~(GRAIN - 1));
    if (wanted < start || (char *)__ease_syscall(__SYS_brk, (long)wanted) != wanted) {
        errno = ENOMEM;
        return 0;
    }
    if (place != top && top)
        top->head = USED | PREVIOUS_USED; /* what lies behind it is the program's */
    top = place;
    limit = wanted;
    return 1;
}
#else
static int grow(size_t size)
{
    (void)size;
    errno = ENOMEM;
    return 0;
}
#endif

/* The bytes that the top still has. */
#define ROOM ((size_t)(limit - (char *)top))

/* Keeps `size` of the `whole` bytes of a chunk in use; the rest becomes free. */
static void trim(struct chunk *chunk, size_t whole, size_t size)
{
    size_t flags = (chunk->head & PREVIOUS_USED) | USED;

    if (whole - size < LEAST) {
        chunk->head = whole | flags;
        AT(chunk, whole)->head |= PREVIOUS_USED;
    } else {
        chunk->head = size | flags;
        put_in(AT(chunk, size), whole - size);
    }
}

/* The size of a chunk for `size` bytes. */
#define CHUNK_SIZE(size) ((size) < LEAST - HEAD ? LEAST : ((size) + HEAD + UNIT - 1) & ~(size_t)(UNIT - 1))

void *malloc(size_t size)
{
    struct chunk *chunk;

    if (size > LARGEST) {
        errno = ENOMEM;
        return NULL;
    }
    size = CHUNK_SIZE(size);
    if (occupied && (chunk = find(size)) != NULL) {
        take_out(chunk);
        trim(chunk, SIZE(chunk), size);
    } else {
        if (size >= ROOM && !grow(size))
            return NULL;
        chunk = top;
        top = AT(top, size);
        chunk->head = size | USED | PREVIOUS_USED;
    }
    return (char *)chunk + HEAD;
}

void free(void *area)
{
    struct chunk *chunk = AT(area, -HEAD);
    struct chunk *next;
    size_t size;

    if (area == NULL)
        return;
    size = SIZE(chunk);
    next = AT(chunk, size);
    if (!(chunk->head & PREVIOUS_USED)) {
        size_t before = ((size_t *)chunk)[-1];

        chunk = AT(chunk, -before);
        size += before;
        take_out(chunk);
    }
    if (next == top) {
        top = chunk;
        return;
    }
    if (next->head & USED)
        next->head &= ~(size_t)PREVIOUS_USED;
    else {
        take_out(next);
        size += SIZE(next);
    }
    put_in(chunk, size);
}

/* The chunk is longer than needed; what lies before the aligned place becomes free again. */
void *aligned_alloc(size_t alignment, size_t size)
{
    char *area, *aligned;
    struct chunk *chunk, *rest;
    size_t offset;

    if (alignment == 0 || alignment & (alignment - 1)) {
        errno = EINVAL;
        return NULL;
    }
    if (alignment <= UNIT)
        return malloc(size);
    if (size > LARGEST - alignment - LEAST) {
        errno = ENOMEM;
        return NULL;
    }
    area = malloc(size + alignment + LEAST);
    if (area == NULL || ((uintptr_t)area & (alignment - 1)) == 0)
        return area;
    aligned = area + LEAST;
    aligned += -(uintptr_t)aligned & (alignment - 1);
    offset = (size_t)(aligned - area);
    chunk = AT(area, -HEAD);
    rest = AT(chunk, offset);
    rest->head = (SIZE(chunk) - offset) | USED | PREVIOUS_USED;
    chunk->head = offset | (chunk->head & PREVIOUS_USED) | USED;
    free(area);
    return aligned;
}

/* Lets the chunk, of `old` bytes, grow where it is. */
static int extend(struct chunk *chunk, size_t old, size_t size)
{
    struct chunk *next = AT(chunk, old);

    if (next == top) {
        if (size - old >= ROOM && (!grow(size - old) || next != top))
            return 0;
        top = AT(chunk, size);
        chunk->head += size - old;
        return 1;
    }
    if (next->head & USED || old + SIZE(next) < size)
        return 0;
    take_out(next);
    trim(chunk, old + SIZE(next), size);
    return 1;
}

void *realloc(void *area, size_t size)
{
    struct chunk *chunk = AT(area, -HEAD);
    size_t old, wanted;
    void *copy;

    if (area == NULL)
        return malloc(size);
    if (size > LARGEST) {
        errno = ENOMEM;
        return NULL;
    }
    old = SIZE(chunk);
    wanted = CHUNK_SIZE(size);
    if (wanted <= old) {
        if (old - wanted >= LEAST) {
            struct chunk *rest = AT(chunk, wanted);

            chunk->head -= old - wanted;
            rest->head = (old - wanted) | USED | PREVIOUS_USED;
            free((char *)rest + HEAD);
        }
        return area;
    }
    if (extend(chunk, old, wanted))
        return area;
    copy = malloc(size);
    if (copy) {
        memcpy(copy, area, old - HEAD);
        free(area);
    }
    return copy;
}
