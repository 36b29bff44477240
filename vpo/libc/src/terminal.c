/* What is asked of terminals, of which there are none: tcgetattr and its kin, ioctl. */

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>

static int refuse(void)
{
    errno = ENOTTY;
    return -1;
}

int tcgetattr(int fd, struct termios *result)
{
    (void)fd;
    (void)result;
    return refuse();
}

int tcsetattr(int fd, int when, const struct termios *wanted)
{
    (void)fd;
    (void)when;
    (void)wanted;
    return refuse();
}

int tcsendbreak(int fd, int duration)
{
    (void)fd;
    (void)duration;
    return refuse();
}

int tcdrain(int fd)
{
    (void)fd;
    return refuse();
}

int tcflush(int fd, int queue)
{
    (void)fd;
    (void)queue;
    return refuse();
}

int tcflow(int fd, int action)
{
    (void)fd;
    (void)action;
    return refuse();
}

pid_t tcgetsid(int fd)
{
    (void)fd;
    return refuse();
}

int ioctl(int fd, unsigned long request, ...)
{
    (void)request;
    return fcntl(fd, F_GETFD) < 0 ? -1 : refuse();
}
