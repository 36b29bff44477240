/* Sockets: there are none. */

#include <errno.h>
#include <sys/socket.h>

static int refuse(void)
{
    errno = ENOSYS;
    return -1;
}

int socket(int domain, int type, int protocol)
{
    (void)domain;
    (void)type;
    (void)protocol;
    return refuse();
}

int bind(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd;
    (void)address;
    (void)length;
    return refuse();
}

int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    (void)fd;
    (void)address;
    (void)length;
    return refuse();
}

int listen(int fd, int count)
{
    (void)fd;
    (void)count;
    return refuse();
}

int accept(int fd, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    (void)address;
    (void)length;
    return refuse();
}

int shutdown(int fd, int how)
{
    (void)fd;
    (void)how;
    return refuse();
}

int socketpair(int domain, int type, int protocol, int *ends)
{
    (void)domain;
    (void)type;
    (void)protocol;
    (void)ends;
    return refuse();
}

int getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    (void)address;
    (void)length;
    return refuse();
}

int getpeername(int fd, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    (void)address;
    (void)length;
    return refuse();
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
    (void)fd;
    (void)level;
    (void)name;
    (void)value;
    (void)length;
    return refuse();
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    (void)fd;
    (void)level;
    (void)name;
    (void)value;
    (void)length;
    return refuse();
}

ssize_t send(int fd, const void *data, size_t size, int flags)
{
    (void)fd;
    (void)data;
    (void)size;
    (void)flags;
    return refuse();
}

ssize_t recv(int fd, void *data, size_t size, int flags)
{
    (void)fd;
    (void)data;
    (void)size;
    (void)flags;
    return refuse();
}

ssize_t sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t length)
{
    (void)fd;
    (void)data;
    (void)size;
    (void)flags;
    (void)address;
    (void)length;
    return refuse();
}

ssize_t recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *address, socklen_t *length)
{
    (void)fd;
    (void)data;
    (void)size;
    (void)flags;
    (void)address;
    (void)length;
    return refuse();
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    (void)fd;
    (void)message;
    (void)flags;
    return refuse();
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    (void)fd;
    (void)message;
    (void)flags;
    return refuse();
}

int sockatmark(int fd)
{
    (void)fd;
    return (int)refuse();
}
