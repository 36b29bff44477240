/* Signals as System V and BSD had them. */

#include <errno.h>
#include <signal.h>
#include "signals.h"

static int change(int how, int number)
{
    sigset_t member = __signal_bit(number);

    return member ? sigprocmask(how, &member, NULL) : -1;
}

int sighold(int number)
{
    return change(SIG_BLOCK, number);
}

int sigrelse(int number)
{
    return change(SIG_UNBLOCK, number);
}

int sigignore(int number)
{
    return signal(number, SIG_IGN) == SIG_ERR ? -1 : 0;
}

int sigpause(int number)
{
    sigset_t mask = __mask & ~__signal_bit(number);

    return sigsuspend(&mask);
}

__handler sigset(int number, __handler handler)
{
    int held = sigismember(&__mask, number);
    struct sigaction action = {{handler}, 0, 0}, old;

    if (held < 0 || sigaction(number, handler == SIG_HOLD ? NULL : &action, &old))
        return SIG_ERR;
    change(handler == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, number);
    return held ? SIG_HOLD : old.sa_handler;
}

__handler bsd_signal(int number, __handler handler)
{
    return signal(number, handler);
}

int siggetmask(void)
{
    return (int)__mask;
}

int sigsetmask(int mask)
{
    int old = siggetmask();

    __allow((unsigned)mask);
    return old;
}

int sigblock(int mask)
{
    return sigsetmask(siggetmask() | mask);
}
