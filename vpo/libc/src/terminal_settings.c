/* The settings of terminals as data: speeds, and what makes them raw. */

#include <termios.h>

speed_t cfgetispeed(const struct termios *settings)
{
    return settings->c_ispeed;
}

speed_t cfgetospeed(const struct termios *settings)
{
    return settings->c_ospeed;
}

int cfsetispeed(struct termios *settings, speed_t speed)
{
    settings->c_ispeed = speed;
    return 0;
}

int cfsetospeed(struct termios *settings, speed_t speed)
{
    settings->c_ospeed = speed;
    return 0;
}

int cfsetspeed(struct termios *settings, speed_t speed)
{
    settings->c_ispeed = settings->c_ospeed = speed;
    return 0;
}

void cfmakeraw(struct termios *settings)
{
    settings->c_iflag &= ~(tcflag_t)(IGNBRK | BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
    settings->c_oflag &= ~(tcflag_t)OPOST;
    settings->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
    settings->c_cflag = (settings->c_cflag & ~(tcflag_t)(CSIZE | PARENB)) | CS8;
    settings->c_cc[VMIN] = 1;
    settings->c_cc[VTIME] = 0;
}
