/* Included by preprocess.c, twice; the guard makes the second time empty. */
#ifndef PREPROCESS_H
#define PREPROCESS_H

#define VERSION_MAJOR 2
#define VERSION_MINOR 7
#define VERSION (VERSION_MAJOR * 100 + VERSION_MINOR)

#define PASTE(a, b) a ## b
#define EXPAND_AND_PASTE(a, b) PASTE(a, b)
#define STRING(x) #x
#define EXPAND_AND_STRING(x) STRING(x)

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define CLAMP(x, low, high) MIN(MAX(x, low), high)

/* One list of colours serves an enumeration and a table. */
#define COLOURS(_) \
    _(RED, 0xff0000) \
    _(GREEN, 0x00ff00) \
    _(BLUE, 0x0000ff) \
    _(YELLOW, 0xffff00) \
    _(BLACK, 0)

typedef unsigned int colour_t;
extern colour_t mix(colour_t, colour_t);

#endif /* PREPROCESS_H */
