#ifndef _NET_IF_H
#define _NET_IF_H
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
struct if_nameindex {
    unsigned if_index;
    char *if_name;
};
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *);
unsigned if_nametoindex(const char *);
char *if_indextoname(unsigned, char *);
#endif
