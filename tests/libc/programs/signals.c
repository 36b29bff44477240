/* Signals that are held back, wait, and come with a value; jumps out of handlers. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int calls;
static sigjmp_buf place;

static void raise_again(int number)
{
    printf("begins %d\n", number);
    if (calls++ < 2)
        raise(number);
    printf("ends %d\n", number);
}

static void tell(int number, siginfo_t *information, void *context)
{
    (void)context;
    printf("%d %d %d\n", number, information->si_code, information->si_code == SI_QUEUE ? information->si_value.sival_int : 0);
}

static void jump(int number)
{
    siglongjmp(place, number);
}

static int is_held(int number)
{
    sigset_t mask;

    sigprocmask(SIG_BLOCK, NULL, &mask);
    return sigismember(&mask, number);
}

static void holding(void)
{
    sigset_t held, waiting, old;
    int number, failed;

    signal(SIGUSR1, raise_again);
    raise(SIGUSR1); /* the second comes when the first has ended */
    sigemptyset(&held);
    sigaddset(&held, SIGUSR1);
    sigaddset(&held, SIGUSR2);
    sigprocmask(SIG_BLOCK, &held, &old);
    raise(SIGUSR1);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR2);
    sigpending(&waiting);
    printf("%d %d %d %d\n", sigismember(&waiting, SIGUSR1), sigismember(&waiting, SIGUSR2), sigismember(&waiting, SIGHUP),
           sigismember(&old, SIGUSR1));
    failed = sigwait(&held, &number);
    printf("%d %d\n", failed, number);
    signal(SIGUSR2, SIG_IGN); /* forgets it */
    sigpending(&waiting);
    printf("%d\n", sigisemptyset(&waiting));
    raise(SIGUSR1);
    sigemptyset(&waiting);
    number = sigsuspend(&waiting);
    printf("%d %d %d\n", number, errno == EINTR, is_held(SIGUSR1));
    raise(SIGUSR1);
    puts("held");
    sigprocmask(SIG_UNBLOCK, &held, NULL);
    sighold(SIGUSR1);
    printf("%d ", is_held(SIGUSR1));
    sigrelse(SIGUSR1);
    printf("%d\n", is_held(SIGUSR1));
    failed = sigprocmask(77, &held, NULL);
    printf("%d %d ", failed, errno == EINVAL);
    errno = 0;
    failed = sigaddset(&held, 65);
    printf("%d %d\n", failed, errno == EINVAL);
}

static void values(void)
{
    struct sigaction action = {0};
    union sigval value = {42};

    action.sa_sigaction = tell;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGRTMIN + 2, &action, NULL);
    sigqueue(getpid(), SIGRTMIN + 2, value);
    kill(getpid(), SIGRTMIN + 2);
    puts(strsignal(SIGRTMIN + 2));
    puts(strsignal(99));
}

static void jumps(void)
{
    int keep, number;

    signal(SIGUSR2, jump);
    for (keep = 1; keep >= 0; keep--) {
        number = sigsetjmp(place, keep);
        if (number == 0)
            raise(SIGUSR2);
        printf("%d %d\n", number, is_held(SIGUSR2));
    }
}

int main(void)
{
    sigset_t held;

    holding();
    values();
    jumps();
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, NULL);
    raise(SIGTERM);
    puts("still here");
    fflush(stdout);
    sigprocmask(SIG_UNBLOCK, &held, NULL);
    puts("never");
    return 0;
}
