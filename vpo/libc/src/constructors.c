/* What the start-up code calls in place of main, if functions are to run before it or behind it. */

#include <stdlib.h>

extern void (*const __constructors[])(int, char **, char **);
extern void (*const __destructors[])(void);
extern int main(int, char **, char **);

static void run_destructors(void)
{
    int i;
    for (i = 0; __destructors[i]; i++)
        __destructors[i]();
}

int __main_with_constructors(int argc, char **argv, char **environment)
{
    int i;
    atexit(run_destructors);
    for (i = 0; __constructors[i]; i++)
        __constructors[i](argc, argv, environment);
    return main(argc, argv, environment);
}
