/* <net/if.h>: there are no interfaces of a network. */

#include <errno.h>
#include <net/if.h>
#include <stddef.h>

unsigned if_nametoindex(const char *name)
{
    (void)name;
    errno = ENODEV;
    return 0;
}

char *if_indextoname(unsigned index, char *name)
{
    (void)index;
    (void)name;
    errno = ENXIO;
    return NULL;
}
