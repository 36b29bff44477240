#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H
#include <_timeval.h>
#include <_timespec.h>
#include <_sigset_t.h>
#ifndef _SUSECONDS_T
#define _SUSECONDS_T
typedef long suseconds_t;
#endif
#define FD_SETSIZE 1024
#define NFDBITS 8
typedef struct {
    unsigned char _bits[FD_SETSIZE / 8];
} fd_set;
#define FD_ZERO(set) ((void)__builtin_memset((set), 0, sizeof(fd_set)))
#define FD_SET(fd, set) ((void)((set)->_bits[(fd) / 8] |= 1 << (fd) % 8))
#define FD_CLR(fd, set) ((void)((set)->_bits[(fd) / 8] &= ~(1 << (fd) % 8)))
#define FD_ISSET(fd, set) ((set)->_bits[(fd) / 8] >> (fd) % 8 & 1)
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
int pselect(int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
#endif
