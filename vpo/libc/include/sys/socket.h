#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H
/* There is no network: the types are there, and socket fails with ENOSYS. */
#include <sys/types.h>
#include <sys/uio.h>
typedef unsigned short sa_family_t;
typedef unsigned socklen_t;
struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};
struct sockaddr_storage {
    sa_family_t ss_family;
    char __data[126];
};
#define AF_UNSPEC 0
#define AF_UNIX 1
#define AF_LOCAL AF_UNIX
#define AF_INET 2
#define AF_INET6 10
#define PF_UNSPEC AF_UNSPEC
#define PF_UNIX AF_UNIX
#define PF_LOCAL AF_LOCAL
#define PF_INET AF_INET
#define PF_INET6 AF_INET6
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_ACCEPTCONN 30
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
#define MSG_OOB 1
#define MSG_PEEK 2
#define MSG_DONTROUTE 4
#define MSG_CTRUNC 8
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_EOR 0x80
#define MSG_WAITALL 0x100
#define MSG_NOSIGNAL 0x4000
#define SOMAXCONN 128
int socket(int, int, int), bind(int, const struct sockaddr *, socklen_t), connect(int, const struct sockaddr *, socklen_t);
int sockatmark(int), listen(int, int), accept(int, struct sockaddr *, socklen_t *), shutdown(int, int), socketpair(int, int, int, int[2]);
int getsockname(int, struct sockaddr *, socklen_t *), getpeername(int, struct sockaddr *, socklen_t *);
int getsockopt(int, int, int, void *, socklen_t *), setsockopt(int, int, int, const void *, socklen_t);
struct linger {
    int l_onoff, l_linger;
};
struct msghdr {
    void *msg_name;
    socklen_t msg_namelen;
    struct iovec *msg_iov;
    size_t msg_iovlen;
    void *msg_control;
    size_t msg_controllen;
    int msg_flags;
};
struct cmsghdr {
    size_t cmsg_len;
    int cmsg_level, cmsg_type;
};
#define SCM_RIGHTS 1
#define CMSG_ALIGN(length) (((length) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_LEN(length) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (length))
#define CMSG_SPACE(length) (CMSG_ALIGN(sizeof(struct cmsghdr)) + CMSG_ALIGN(length))
#define CMSG_DATA(header) ((unsigned char *)((struct cmsghdr *)(header) + 1))
#define CMSG_FIRSTHDR(message) \
    ((message)->msg_controllen < sizeof(struct cmsghdr) ? (struct cmsghdr *)0 : (struct cmsghdr *)(message)->msg_control)
#define __CMSG_NEXT(header) ((char *)(header) + CMSG_ALIGN((header)->cmsg_len))
#define CMSG_NXTHDR(message, header)                                                                       \
    ((header)->cmsg_len < sizeof(struct cmsghdr) ||                                                        \
             __CMSG_NEXT(header) + sizeof(struct cmsghdr) >                                                \
                 (char *)(message)->msg_control + (message)->msg_controllen                                \
         ? (struct cmsghdr *)0                                                                             \
         : (struct cmsghdr *)__CMSG_NEXT(header))
ssize_t sendmsg(int, const struct msghdr *, int), recvmsg(int, struct msghdr *, int);
ssize_t send(int, const void *, size_t, int), recv(int, void *, size_t, int);
ssize_t sendto(int, const void *, size_t, int, const struct sockaddr *, socklen_t);
ssize_t recvfrom(int, void *, size_t, int, struct sockaddr *, socklen_t *);
#endif
