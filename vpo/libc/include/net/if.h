#ifndef _NET_IF_H
#define _NET_IF_H
#include <sys/socket.h>
#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE
unsigned if_nametoindex(const char *);
char *if_indextoname(unsigned, char *);
#endif
