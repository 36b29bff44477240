/* sigaction, kill, sets of signals */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* What was asked for beside handlers, which `signal` keeps. */
static struct sigaction actions[NSIG];

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    __handler before;

    if (number <= 0 || number >= NSIG) {
        errno = EINVAL;
        return -1;
    }
    before = signal(number, action ? action->sa_handler : SIG_DFL);
    if (before == SIG_ERR)
        return -1;
    if (old) {
        *old = actions[number];
        old->sa_handler = before;
    }
    if (action)
        actions[number] = *action;
    else
        signal(number, before);
    return 0;
}

int kill(pid_t process, int number)
{
    if (process != getpid() && process != 0) {
        errno = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : raise(number);
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
