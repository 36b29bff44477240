/* kill, sets of signals */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
#include "signals.h"
#include "waiting.h"

int kill(pid_t process, int number)
{
    if (process != getpid() && process != 0) {
        errno = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : __send(number, SI_USER);
}

int killpg(pid_t group, int number)
{
    return kill(group, number);
}

int siginterrupt(int number, int interrupts)
{
    (void)interrupts;
    if (number > 0 && number < NSIG)
        return 0;
    errno = EINVAL;
    return -1;
}

int sigemptyset(sigset_t *set)
{
    *set = 0;
    return 0;
}

int sigfillset(sigset_t *set)
{
    *set = ~(sigset_t)0;
    return 0;
}

int sigaddset(sigset_t *set, int number)
{
    sigset_t member = __signal_bit(number);

    *set |= member;
    return member ? 0 : -1;
}

int sigdelset(sigset_t *set, int number)
{
    sigset_t member = __signal_bit(number);

    *set &= ~member;
    return member ? 0 : -1;
}

int sigismember(const sigset_t *set, int number)
{
    sigset_t member = __signal_bit(number);

    return member ? (*set & member) != 0 : -1;
}

int sigisemptyset(const sigset_t *set)
{
    return *set == 0;
}

int sigandset(sigset_t *result, const sigset_t *left, const sigset_t *right)
{
    *result = *left & *right;
    return 0;
}

int sigorset(sigset_t *result, const sigset_t *left, const sigset_t *right)
{
    *result = *left | *right;
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    sigset_t wanted = set ? *set : 0; /* they may be one object */

    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) {
        errno = EINVAL;
        return -1;
    }
    if (old)
        *old = __mask;
    if (set)
        __allow(how == SIG_SETMASK ? wanted : how == SIG_BLOCK ? __mask | wanted : __mask & ~wanted);
    return 0;
}

int sigpending(sigset_t *set)
{
    *set = __pending;
    return 0;
}

/* Only timers send signals while a program waits. */
int sigsuspend(const sigset_t *set)
{
    sigset_t mask = __mask;
    int waits = !(__pending & ~*set);

    __allow(*set);
    if (waits)
        __wait(NULL);
    __allow(mask);
    errno = EINTR;
    return -1;
}
