#ifndef _TERMIOS_H
#define _TERMIOS_H
/* There are no terminals: everything here fails with ENOTTY. */
typedef unsigned tcflag_t, speed_t;
typedef unsigned char cc_t;
#define NCCS 32
struct termios {
    tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
    cc_t c_cc[NCCS];
};
#define BRKINT 2
#define ICRNL 0400
#define INPCK 020
#define ISTRIP 040
#define IXON 02000
#define OPOST 1
#define CS8 060
#define ECHO 010
#define ICANON 2
#define IEXTEN 0100000
#define ISIG 1
#define VTIME 5
#define VMIN 6
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
int tcgetattr(int, struct termios *), tcsetattr(int, int, const struct termios *);
#endif
