/* atexit */

#include <stdlib.h>
#include "libc.h"

#define LIMIT 32

static void (*functions[LIMIT])(void);
static int count;

static void run(void)
{
    while (count)
        functions[--count]();
}

int atexit(void (*function)(void))
{
    if (count == LIMIT)
        return -1;
    __run_atexit = run;
    functions[count++] = function;
    return 0;
}
