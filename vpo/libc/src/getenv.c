/* getenv, system: there is no environment and no shell. */

#include <errno.h>
#include <stdlib.h>

char *getenv(const char *name)
{
    (void)name;
    return NULL;
}

int system(const char *command)
{
    if (command == NULL)
        return 0;
    errno = ENOSYS;
    return -1;
}
