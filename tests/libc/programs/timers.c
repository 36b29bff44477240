/* Timers end while a program waits, in their order, with what their signals carry. */

#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int alarms, last;

static void count(int number)
{
    alarms++;
    last = number;
}

static void told(int number, siginfo_t *information, void *context)
{
    alarms++;
    last = information->si_value.sival_int;
}

static timer_t timer(int number, int value, int milliseconds, int again)
{
    struct sigevent event;
    struct itimerspec when;
    timer_t made;

    memset(&event, 0, sizeof event);
    memset(&when, 0, sizeof when);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = number;
    event.sigev_value.sival_int = value;
    if (timer_create(CLOCK_REALTIME, &event, &made))
        puts("none");
    when.it_value.tv_nsec = milliseconds * 1000000L;
    when.it_interval.tv_nsec = again * 1000000L;
    timer_settime(made, 0, &when, 0);
    return made;
}

static void real_timer(void)
{
    struct itimerval value;

    memset(&value, 0, sizeof value);
    value.it_value.tv_usec = 10000;
    printf("set %d", setitimer(ITIMER_REAL, &value, 0));
    printf(" pause %d", pause());
    printf(" %d alarms %d\n", errno == EINTR, alarms);
    value.it_interval.tv_usec = 20000;
    setitimer(ITIMER_REAL, &value, 0);
    while (alarms < 4)
        printf("poll %d %d\n", poll(0, 0, 5000), errno == EINTR);
    alarm(0);
    getitimer(ITIMER_REAL, &value);
    printf("stopped %d\n", value.it_value.tv_sec == 0 && value.it_value.tv_usec == 0);
    alarm(100);
    printf("left %u", alarm(50));
    printf(" %u\n", alarm(0));
}

static void several(void)
{
    struct sigaction action;
    timer_t late, early, again;
    int i;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = told;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGUSR2, &action, 0);
    late = timer(SIGUSR1, 7, 40, 0);
    early = timer(SIGUSR2, 8, 10, 0);
    for (i = 0; i < 2; i++) {
        pause();
        printf("value %d\n", last);
    }
    timer_delete(late);
    printf("deleted %d", timer_delete(early));
    printf(" %d\n", timer_delete(early) < 0);
    again = timer(SIGUSR1, 9, 10, 20);
    alarms = 0;
    while (alarms < 3)
        pause();
    timer_delete(again);
    printf("again %d value %d\n", alarms, last);
}

static void blocked(void)
{
    struct timespec limit = {5, 0}, little = {0, 1000000};
    sigset_t set, none;
    timer_t made;
    int number = 0;

    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, 0);
    alarms = 0;
    made = timer(SIGUSR1, 3, 10, 0);
    printf("wait %d", sigwait(&set, &number));
    printf(" %d handlers %d\n", number == SIGUSR1, alarms);
    timer_delete(made);
    printf("none %d", sigtimedwait(&set, 0, &little));
    printf(" %d\n", errno == EAGAIN);
    made = timer(SIGALRM, 4, 10, 0);
    printf("suspend %d", sigsuspend(&none));
    printf(" handlers %d signal %d\n", alarms, last);
    timer_delete(made);
    made = timer(SIGALRM, 4, 10, 0);
    printf("sleeps %d\n", nanosleep(&little, 0));
    printf("timed %d\n", sigtimedwait(&set, 0, &limit) == SIGALRM);
}

static void until(void)
{
    struct timespec when;

    alarms = 0;
    alarm(1);
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_nsec += when.tv_nsec < 990000000 ? 5000000 : 0;
    printf("until %d", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &when, 0));
    printf(" alarms %d", alarms);
    when.tv_sec = 0;
    printf(" past %d", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &when, 0));
    when.tv_nsec = -1;
    printf(" wrong %d\n", clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &when, 0) == EINVAL);
    alarm(0);
}

int main(void)
{
    signal(SIGALRM, count);
    real_timer();
    several();
    blocked();
    until();
    return 0;
}
