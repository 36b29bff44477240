/* atexit, on_exit: one list, as the functions are called from the last one backwards. */

#include <stdlib.h>
#include "libc.h"

#define LIMIT 32

static struct {
    void (*plain)(void);
    void (*told)(int, void *); /* called instead, if it is there */
    void *argument;
} functions[LIMIT];
static int count;

static void run(int status)
{
    while (count) {
        count--;
        if (functions[count].told)
            functions[count].told(status, functions[count].argument);
        else
            functions[count].plain();
    }
}

static int add(void (*plain)(void), void (*told)(int, void *), void *argument)
{
    if (count == LIMIT)
        return -1;
    __run_atexit = run;
    functions[count].plain = plain;
    functions[count].told = told;
    functions[count++].argument = argument;
    return 0;
}

int atexit(void (*function)(void))
{
    return add(function, 0, 0);
}

int on_exit(void (*function)(int, void *), void *argument)
{
    return add(0, function, argument);
}
