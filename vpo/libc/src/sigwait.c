/* sigwait and its kin, sigqueue, psiginfo */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "signals.h"
#include "waiting.h"

/* Takes a signal of a set that is held back; returns 0 if there is none. */
static int take(const sigset_t *set, siginfo_t *information)
{
    int number;

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
    return 0;
}

/* Only timers send signals while a program waits. */
int sigtimedwait(const sigset_t *set, siginfo_t *information, const struct timespec *limit)
{
    struct timespec rest = {0, 0};
    int number, ended;

    if (limit)
        rest = *limit;
    while (!(number = take(set, information))) {
        ended = __pass_time ? __pass_time(limit ? &rest : NULL) : 0;
        if (ended != 2) {
            errno = ended ? EINTR : EAGAIN;
            return -1;
        }
    }
    return number;
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
