/* exit: what atexit and stdio left to do, then the end. */

#include <stdlib.h>
#include "libc.h"

void (*__run_atexit)(int);
void (*__flush_all)(void);

void exit(int status)
{
    if (__run_atexit)
        __run_atexit(status);
    if (__flush_all)
        __flush_all();
    _Exit(status);
}
