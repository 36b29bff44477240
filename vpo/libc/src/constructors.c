/* What the start-up code calls in place of main if functions run before or behind it, or it asks how it was called. */

#include <stdlib.h>

extern char **environ, **__arguments;
extern void (*const __constructors[])(int, char **, char **);
extern void (*const __destructors[])(void);
extern int main(int, char **, char **);

static void run_destructors(void)
{
    int i;
    for (i = 0; __destructors[i]; i++)
        __destructors[i]();
}

int __start_main(int argc, char **argv)
{
    int i;
    __arguments = argv;
    environ = argv + argc + 1; /* as Linux lays out the stack */
    if (__destructors[0])
        atexit(run_destructors);
    for (i = 0; __constructors[i]; i++)
        __constructors[i](argc, argv, environ);
    return main(argc, argv, environ);
}
