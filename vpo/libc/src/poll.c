/* poll, select, pselect: files are always ready, so nothing waits, nor does who only wants time to pass. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>
#include "waiting.h"

#define READY (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM)

static int is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

int poll(struct pollfd *files, nfds_t count, int timeout)
{
    struct timespec limit;
    int ready = 0;
    nfds_t i;

    for (i = 0; i < count; i++) {
        files[i].revents = 0;
        if (files[i].fd >= 0)
            files[i].revents = is_open(files[i].fd) ? files[i].events & READY : POLLNVAL;
        ready += files[i].revents != 0;
    }
    limit.tv_sec = timeout / 1000;
    limit.tv_nsec = timeout % 1000 * 1000000L;
    if (ready == 0 && timeout != 0 && __wait(timeout < 0 ? NULL : &limit)) {
        errno = EINTR;
        return -1;
    }
    return ready;
}

/* Counts the descriptors of a set, all of which are ready; -1 if one of them is not open. */
static int ready_ones(int count, const fd_set *set)
{
    int fd, found = 0;

    for (fd = 0; set && fd < count; fd++)
        if (FD_ISSET(fd, set)) {
            if (!is_open(fd)) {
                errno = EBADF;
                return -1;
            }
            found++;
        }
    return found;
}

int select(int count, fd_set *read, fd_set *write, fd_set *special, struct timeval *timeout)
{
    int readable = ready_ones(count, read), writable = ready_ones(count, write);
    struct timespec limit;

    if (readable < 0 || writable < 0)
        return -1;
    if (special)
        FD_ZERO(special);
    if (readable + writable == 0) {
        if (timeout) {
            limit.tv_sec = timeout->tv_sec;
            limit.tv_nsec = timeout->tv_usec * 1000L;
            timeout->tv_sec = timeout->tv_usec = 0;
        }
        if (__wait(timeout ? &limit : NULL)) {
            errno = EINTR;
            return -1;
        }
    }
    return readable + writable;
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *special, const struct timespec *limit, const sigset_t *mask)
{
    (void)limit;
    (void)mask;
    return select(count, read, write, special, NULL);
}
