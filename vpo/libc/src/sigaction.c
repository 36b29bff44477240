/* kill, sets of signals */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>
#include "signals.h"

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

static stack_t alternate = {0, SS_DISABLE, 0};

int sigaltstack(const stack_t *stack, stack_t *old)
{
    if (stack && !(stack->ss_flags & SS_DISABLE) && stack->ss_size < MINSIGSTKSZ) {
        errno = ENOMEM;
        return -1;
    }
    if (old)
        *old = alternate;
    if (stack)
        alternate = *stack;
    return 0;
}

static int bit(int number, sigset_t *result)
{
    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    *result = (sigset_t)1 << (number - 1);
    return 0;
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
    sigset_t member;

    if (bit(number, &member))
        return -1;
    *set |= member;
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    sigset_t member;

    if (bit(number, &member))
        return -1;
    *set &= ~member;
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    sigset_t member;

    return bit(number, &member) ? -1 : (*set & member) != 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    static sigset_t mask;

    if (old)
        *old = mask;
    if (set)
        mask = how == SIG_SETMASK ? *set : how == SIG_BLOCK ? mask | *set : mask & ~*set;
    return 0;
}

int sigpending(sigset_t *set)
{
    return sigemptyset(set);
}

int sigsuspend(const sigset_t *set)
{
    (void)set;
    errno = EINTR;
    return -1;
}
