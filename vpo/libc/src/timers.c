/* alarm, setitimer, timer_create and their kin: timers end while a program waits, as time passes for them only then. */

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <unistd.h>
#include "signals.h"
#include "waiting.h"

#define TIMERS 32
#define REAL 0 /* the timer of alarm and setitimer */
#define BILLION 1000000000L

static struct {
    struct timespec left, interval; /* `left` is 0 if the timer does not run */
    union sigval value;
    int number; /* of the signal, 0 if there is none */
    char used;
} timers[TIMERS];

static int runs(int timer)
{
    return timers[timer].used && (timers[timer].left.tv_sec || timers[timer].left.tv_nsec);
}

static int is_later(struct timespec a, struct timespec b)
{
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

static struct timespec less(struct timespec a, struct timespec b)
{
    a.tv_sec -= b.tv_sec;
    a.tv_nsec -= b.tv_nsec;
    if (a.tv_nsec < 0) {
        a.tv_sec--;
        a.tv_nsec += BILLION;
    }
    return a;
}

/* Lets time pass for all timers that run; one that would end just now ends next. */
static void pass_for_all(struct timespec time)
{
    int i;

    for (i = 0; i < TIMERS; i++)
        if (runs(i)) {
            timers[i].left = less(timers[i].left, time);
            if (!runs(i))
                timers[i].left.tv_nsec = 1;
        }
}

/* Sends the signal of a timer; returns whether that calls a handler. */
static int send(int timer)
{
    int number = timers[timer].number;
    struct sigaction action;

    if (number == 0)
        return 0;
    __set_action(number, NULL, &action);
    __sent_value = timers[timer].value;
    __send(number, SI_TIMER);
    return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN && !(__mask & __signal_bit(number));
}

static int pass(struct timespec *limit)
{
    struct timespec none = {0, 0}, time;
    int i, first = -1;

    for (i = 0; i < TIMERS; i++)
        if (runs(i) && (first < 0 || is_later(timers[first].left, timers[i].left)))
            first = i;
    if (first < 0 || (limit && is_later(timers[first].left, *limit))) {
        if (limit) {
            pass_for_all(*limit);
            *limit = none;
        }
        return 0;
    }
    time = timers[first].left;
    pass_for_all(time);
    if (limit)
        *limit = less(*limit, time);
    timers[first].left = timers[first].interval;
    return send(first) ? 1 : 2;
}

static void start(int timer, struct timespec left, struct timespec interval)
{
    __pass_time = pass;
    timers[timer].left = left;
    timers[timer].interval = interval;
}

static struct timespec of_microseconds(struct timeval time)
{
    struct timespec result;

    result.tv_sec = time.tv_sec;
    result.tv_nsec = time.tv_usec * 1000L;
    return result;
}

static struct timeval in_microseconds(struct timespec time)
{
    struct timeval result;

    result.tv_sec = time.tv_sec;
    result.tv_usec = time.tv_nsec / 1000;
    return result;
}

static int is_time(struct timespec time)
{
    if (time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < BILLION)
        return 1;
    errno = EINVAL;
    return 0;
}

int getitimer(int which, struct itimerval *value)
{
    static const struct itimerval none;

    *value = none;
    if (which == ITIMER_REAL) {
        value->it_value = in_microseconds(timers[REAL].left);
        value->it_interval = in_microseconds(timers[REAL].interval);
    }
    return 0;
}

/* Time of the processor does not end timers, as it does not pass in calls that wait. */
int setitimer(int which, const struct itimerval *value, struct itimerval *old)
{
    struct timespec left = of_microseconds(value->it_value), interval = of_microseconds(value->it_interval);

    if (which != ITIMER_REAL) {
        errno = ENOSYS;
        return -1;
    }
    if (!is_time(left) || !is_time(interval))
        return -1;
    if (old)
        getitimer(which, old);
    timers[REAL].used = 1;
    timers[REAL].number = SIGALRM;
    start(REAL, left, interval);
    return 0;
}

/* Starts the timer of alarm; returns what was left of it. */
static struct timespec replace(struct timespec left, struct timespec interval)
{
    struct itimerval value, old;

    value.it_value = in_microseconds(left);
    value.it_interval = in_microseconds(interval);
    setitimer(ITIMER_REAL, &value, &old);
    return of_microseconds(old.it_value);
}

unsigned alarm(unsigned seconds)
{
    struct timespec left = {0, 0}, none = {0, 0};

    left.tv_sec = seconds;
    left = replace(left, none);
    return left.tv_sec + (left.tv_nsec > 0);
}

useconds_t ualarm(useconds_t wait, useconds_t interval)
{
    struct timespec left, again;

    left.tv_sec = wait / 1000000;
    left.tv_nsec = wait % 1000000 * 1000L;
    again.tv_sec = interval / 1000000;
    again.tv_nsec = interval % 1000000 * 1000L;
    left = replace(left, again);
    return left.tv_sec * 1000000L + left.tv_nsec / 1000;
}

int timer_create(clockid_t clock_id, struct sigevent *event, timer_t *timer)
{
    int i;

    (void)clock_id;
    if (event && event->sigev_notify != SIGEV_NONE &&
        (event->sigev_notify != SIGEV_SIGNAL || !__signal_bit(event->sigev_signo))) {
        errno = EINVAL; /* there are no threads */
        return -1;
    }
    for (i = 1; i < TIMERS && timers[i].used; i++)
        ;
    if (i == TIMERS) {
        errno = EAGAIN;
        return -1;
    }
    timers[i].used = 1;
    timers[i].left.tv_sec = timers[i].left.tv_nsec = 0;
    timers[i].number = !event ? SIGALRM : event->sigev_notify == SIGEV_NONE ? 0 : event->sigev_signo;
    timers[i].value.sival_int = i;
    if (event)
        timers[i].value = event->sigev_value;
    *timer = i;
    return 0;
}

static int is_timer(timer_t timer)
{
    if (timer > REAL && timer < TIMERS && timers[timer].used)
        return 1;
    errno = EINVAL;
    return 0;
}

int timer_gettime(timer_t timer, struct itimerspec *value)
{
    if (!is_timer(timer))
        return -1;
    value->it_value = timers[timer].left;
    value->it_interval = timers[timer].interval;
    return 0;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    struct timespec left = value->it_value, now;

    if (!is_timer(timer) || !is_time(left) || !is_time(value->it_interval))
        return -1;
    if (old)
        timer_gettime(timer, old);
    if (flags & TIMER_ABSTIME && (left.tv_sec || left.tv_nsec)) {
        clock_gettime(CLOCK_REALTIME, &now);
        if (is_later(left, now))
            left = less(left, now);
        else {
            left.tv_sec = 0;
            left.tv_nsec = 1;
        }
    }
    start(timer, left, value->it_interval);
    return 0;
}

int timer_getoverrun(timer_t timer)
{
    return is_timer(timer) ? 0 : -1;
}

int timer_delete(timer_t timer)
{
    if (!is_timer(timer))
        return -1;
    timers[timer].used = 0;
    return 0;
}
