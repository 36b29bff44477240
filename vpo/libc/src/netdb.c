/* <netdb.h>: there is no network, so that no name is found. */

#include <netdb.h>
#include <stddef.h>

int h_errno;

struct hostent *gethostbyname(const char *name)
{
    (void)name;
    h_errno = HOST_NOT_FOUND;
    return NULL;
}

struct hostent *gethostbyaddr(const void *address, socklen_t length, int family)
{
    (void)length;
    (void)family;
    return gethostbyname(address);
}

struct servent *getservbyname(const char *name, const char *protocol)
{
    (void)name;
    (void)protocol;
    return NULL;
}

struct servent *getservbyport(int port, const char *protocol)
{
    (void)port;
    (void)protocol;
    return NULL;
}

struct protoent *getprotobyname(const char *name)
{
    (void)name;
    return NULL;
}

struct protoent *getprotobynumber(int number)
{
    (void)number;
    return NULL;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    (void)node;
    (void)service;
    (void)hints;
    (void)result;
    return EAI_FAIL;
}

int getnameinfo(const struct sockaddr *address, socklen_t length, char *host, socklen_t host_size, char *service,
                socklen_t service_size, int flags)
{
    (void)address;
    (void)length;
    (void)host;
    (void)host_size;
    (void)service;
    (void)service_size;
    (void)flags;
    return EAI_FAIL;
}

void freeaddrinfo(struct addrinfo *list)
{
    (void)list;
}

const char *gai_strerror(int error)
{
    static const char *const messages[] = {
        "Unknown error", "Bad value for ai_flags", "Name or service not known", "Temporary failure in name resolution",
        "Non-recoverable failure in name resolution"
    };

    return messages[error <= 0 && error >= EAI_FAIL ? -error : 0];
}

const char *hstrerror(int error)
{
    static const char *const messages[] = {
        "Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure", "Unknown server error",
        "No address associated with name"
    };

    return error >= 0 && error <= NO_DATA ? messages[error] : "Unknown resolver error";
}
