#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H
/* There are no terminals and devices: ioctl fails with ENOTTY. */
struct winsize {
    unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};
#define TIOCEXCL 0x540c
#define TIOCNXCL 0x540d
#define TIOCSCTTY 0x540e
#define TIOCGPGRP 0x540f
#define TIOCSPGRP 0x5410
#define TIOCOUTQ 0x5411
#define TIOCSTI 0x5412
#define TIOCGWINSZ 0x5413
#define TIOCSWINSZ 0x5414
#define TIOCMGET 0x5415
#define TIOCMBIS 0x5416
#define TIOCMBIC 0x5417
#define TIOCMSET 0x5418
#define FIONREAD 0x541b
#define TIOCINQ FIONREAD
#define TIOCCONS 0x541d
#define TIOCPKT 0x5420
#define FIONBIO 0x5421
#define TIOCNOTTY 0x5422
#define TIOCSBRK 0x5427
#define TIOCCBRK 0x5428
#define FIONCLEX 0x5450
#define FIOCLEX 0x5451
#define FIOASYNC 0x5452
#define TIOCM_LE 1
#define TIOCM_DTR 2
#define TIOCM_RTS 4
#define TIOCM_ST 010
#define TIOCM_SR 020
#define TIOCM_CTS 040
#define TIOCM_CAR 0100
#define TIOCM_CD TIOCM_CAR
#define TIOCM_RNG 0200
#define TIOCM_RI TIOCM_RNG
#define TIOCM_DSR 0400
int ioctl(int, unsigned long, ...);
#endif
