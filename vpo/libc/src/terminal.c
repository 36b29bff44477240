/* tcgetattr, tcsetattr, ioctl: there are no terminals. */

#include <errno.h>
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

int ioctl(int fd, unsigned long request, ...)
{
    (void)fd;
    (void)request;
    return refuse();
}
