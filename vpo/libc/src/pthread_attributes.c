/* Attributes of threads and of what they share.  Nothing is shared with other processes, as there are none. */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static int only_private(int shared)
{
    return shared == PTHREAD_PROCESS_PRIVATE ? 0 : ENOTSUP;
}

static int tell_private(int *shared)
{
    *shared = PTHREAD_PROCESS_PRIVATE;
    return 0;
}

static int begin(int *attributes)
{
    *attributes = 0;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size)
{
    attributes->__guard = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size)
{
    *size = attributes->__guard;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size)
{
    attributes->__stack = stack;
    return pthread_attr_setstacksize(attributes, size);
}

int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size)
{
    *stack = attributes->__stack;
    return pthread_attr_getstacksize(attributes, size);
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *how)
{
    attributes->__priority = how->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *how)
{
    how->sched_priority = attributes->__priority;
    return 0;
}

int pthread_barrierattr_init(pthread_barrierattr_t *attributes)
{
    return begin(attributes);
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes)
{
    return begin(attributes);
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared)
{
    (void)attributes;
    return only_private(shared);
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared)
{
    (void)attributes;
    return tell_private(shared);
}

int pthread_condattr_getclock(const pthread_condattr_t *attributes, clockid_t *clock)
{
    *clock = *attributes;
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared)
{
    (void)attributes;
    return only_private(shared);
}

int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared)
{
    (void)attributes;
    return tell_private(shared);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared)
{
    (void)attributes;
    return tell_private(shared);
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust)
{
    if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
        return EINVAL;
    attributes->__robust = robust;
    return 0;
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust)
{
    *robust = attributes->__robust;
    return 0;
}

/* No owner of a lock has ended before it let it go. */
int pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    (void)mutex;
    return EINVAL;
}

int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes)
{
    return begin(attributes);
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes)
{
    return begin(attributes);
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared)
{
    (void)attributes;
    return only_private(shared);
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared)
{
    (void)attributes;
    return tell_private(shared);
}

/* Nobody lets a lock go while the thread waits. */
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *end)
{
    (void)end;
    return pthread_rwlock_tryrdlock(lock) ? ETIMEDOUT : 0;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *end)
{
    (void)end;
    return pthread_rwlock_trywrlock(lock) ? ETIMEDOUT : 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return thread == pthread_self() ? 0 : ESRCH;
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    if (thread != pthread_self())
        return ESRCH;
    return priority == 0 ? 0 : EINVAL;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *how)
{
    return policy == SCHED_OTHER ? pthread_setschedprio(thread, how->sched_priority) : ENOTSUP;
}

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *how)
{
    *policy = SCHED_OTHER;
    how->sched_priority = 0;
    return thread == pthread_self() ? 0 : ESRCH;
}
