/* <net/if.h>: there are no interfaces of a network. */

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>

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

struct if_nameindex *if_nameindex(void)
{
    return calloc(1, sizeof(struct if_nameindex));
}

void if_freenameindex(struct if_nameindex *interfaces)
{
    free(interfaces);
}
