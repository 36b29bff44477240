#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H
/* There are no terminals and devices: ioctl fails with ENOTTY. */
struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCGWINSZ 0x5413
#define FIONREAD 0x541b
int ioctl(int, unsigned long, ...);
#endif
