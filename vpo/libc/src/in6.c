/* Addresses of IPv6. */

#include <netinet/in.h>

const struct in6_addr in6addr_any = IN6ADDR_ANY_INIT, in6addr_loopback = IN6ADDR_LOOPBACK_INIT;

/* Whether the bytes of an address from one place to another are 0, but for the last one, which is `last`. */
int __in6_is(const struct in6_addr *address, int from, int to, int last)
{
    while (from < to - 1)
        if (address->s6_addr[from++])
            return 0;
    return address->s6_addr[from] == last;
}
