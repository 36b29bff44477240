#ifndef _NETDB_H
#define _NETDB_H
/* There is no network: no name is found. */
#include <netinet/in.h>
struct hostent {
    char *h_name, **h_aliases;
    int h_addrtype, h_length;
    char **h_addr_list;
};
#define h_addr h_addr_list[0]
struct servent {
    char *s_name, **s_aliases;
    int s_port;
    char *s_proto;
};
struct netent {
    char *n_name, **n_aliases;
    int n_addrtype;
    uint32_t n_net;
};
struct protoent {
    char *p_name, **p_aliases;
    int p_proto;
};
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol;
    socklen_t ai_addrlen;
    struct sockaddr *ai_addr;
    char *ai_canonname;
    struct addrinfo *ai_next;
};
#define AI_PASSIVE 1
#define AI_CANONNAME 2
#define AI_NUMERICHOST 4
#define AI_V4MAPPED 8
#define AI_ALL 16
#define AI_ADDRCONFIG 32
#define AI_NUMERICSERV 1024
#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_NUMERICSCOPE 0x100
#define IPPORT_RESERVED 1024
#define NI_MAXHOST 1025
#define NI_MAXSERV 32
#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)
#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
extern int h_errno;
struct hostent *gethostbyname(const char *), *gethostbyaddr(const void *, socklen_t, int);
struct hostent *gethostent(void);
struct netent *getnetbyaddr(uint32_t, int), *getnetbyname(const char *), *getnetent(void);
struct protoent *getprotoent(void);
struct servent *getservent(void);
void sethostent(int), setnetent(int), setprotoent(int), setservent(int);
void endhostent(void), endnetent(void), endprotoent(void), endservent(void);
struct servent *getservbyname(const char *, const char *), *getservbyport(int, const char *);
struct protoent *getprotobyname(const char *), *getprotobynumber(int);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
int getnameinfo(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
void freeaddrinfo(struct addrinfo *);
const char *gai_strerror(int), *hstrerror(int);
#endif
