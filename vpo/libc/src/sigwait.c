/* sigwait and its kin, sigqueue, psiginfo */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "signals.h"

/* Takes a signal of a set that is held back; nothing is sent while a program waits, so there may be none. */
int sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *limit)
{
    int number;

    (void)limit;
    for (number = 1; number < NSIG; number++)
        if (__pending & *set & __signal_bit(number)) {
            __pending &= ~__signal_bit(number);
            if (information) {
                memset(information, 0, sizeof *information);
                information->si_signo = number;
                information->si_value = __sent_value;
            }
            return number;
        }
    errno = EAGAIN;
    return -1;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *information)
{
    return sigtimedwait(set, information, NULL);
}

int sigwait(const sigset_t *set, int *number)
{
    int found = sigwaitinfo(set, NULL);

    if (found < 0)
        return errno;
    *number = found;
    return 0;
}

int sigqueue(pid_t process, int number, union sigval value)
{
    if (process != getpid()) {
        errno = ESRCH;
        return -1;
    }
    __sent_value = value;
    return number == 0 ? 0 : __send(number, SI_QUEUE);
}

void psiginfo(const siginfo_t *information, const char *prefix)
{
    psignal(information->si_signo, prefix);
}
