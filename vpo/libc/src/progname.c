/* getprogname: the last part of the name by which the program was called. */

#include <stdlib.h>
#include <string.h>

extern char **__arguments;

const char *getprogname(void)
{
    const char *name = __arguments[0] ? __arguments[0] : "";
    const char *slash = strrchr(name, '/');

    return slash ? slash + 1 : name;
}
