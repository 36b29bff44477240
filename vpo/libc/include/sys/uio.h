#ifndef _SYS_UIO_H
#define _SYS_UIO_H
#include <sys/types.h>
struct iovec {
    void *iov_base;
    size_t iov_len;
};
#define UIO_MAXIOV 1024
ssize_t preadv(int, const struct iovec *, int, off_t), pwritev(int, const struct iovec *, int, off_t);
ssize_t readv(int, const struct iovec *, int), writev(int, const struct iovec *, int);
#endif
