/* <netdb.h>: the lists of hosts, networks, protocols and services are empty. */

#include <netdb.h>
#include <stddef.h>

struct hostent *gethostent(void)
{
    return NULL;
}

void sethostent(int stays)
{
    (void)stays;
}

void endhostent(void)
{
}

struct netent *getnetent(void)
{
    return NULL;
}

void setnetent(int stays)
{
    (void)stays;
}

void endnetent(void)
{
}

struct protoent *getprotoent(void)
{
    return NULL;
}

void setprotoent(int stays)
{
    (void)stays;
}

void endprotoent(void)
{
}

struct servent *getservent(void)
{
    return NULL;
}

void setservent(int stays)
{
    (void)stays;
}

void endservent(void)
{
}

struct netent *getnetbyaddr(uint32_t number, int kind)
{
    (void)number;
    (void)kind;
    return NULL;
}

struct netent *getnetbyname(const char *name)
{
    (void)name;
    return NULL;
}
