/* Locks for one thread: what it would wait for ever for fails with EDEADLK. */

#include <errno.h>
#include <pthread.h>

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)
{
    mutex->__kind = attributes != NULL ? attributes->__kind : PTHREAD_MUTEX_DEFAULT;
    mutex->__count = 0;
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    return mutex->__count ? EBUSY : 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    if (mutex->__count && mutex->__kind != PTHREAD_MUTEX_RECURSIVE)
        return EBUSY;
    mutex->__count++;
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    return pthread_mutex_trylock(mutex) ? EDEADLK : 0;
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end)
{
    (void)end;
    return pthread_mutex_trylock(mutex) ? ETIMEDOUT : 0;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (!mutex->__count)
        return EPERM;
    mutex->__count--;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
    attributes->__kind = PTHREAD_MUTEX_DEFAULT;
    attributes->__robust = PTHREAD_MUTEX_STALLED;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind)
{
    if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ERRORCHECK)
        return EINVAL;
    attributes->__kind = kind;
    return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind)
{
    *kind = attributes->__kind;
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
    (void)attributes;
    return shared == PTHREAD_PROCESS_PRIVATE ? 0 : ENOTSUP;
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)
{
    condition->__clock = attributes != NULL ? *attributes : 0;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_signal(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    (void)condition;
    (void)mutex;
    return EDEADLK;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end)
{
    (void)condition;
    (void)mutex;
    (void)end;
    return ETIMEDOUT;
}

int pthread_condattr_init(pthread_condattr_t *attributes)
{
    *attributes = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock)
{
    *attributes = (int)clock;
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes)
{
    (void)attributes;
    lock->__readers = lock->__writer = 0;
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    return lock->__readers || lock->__writer ? EBUSY : 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    if (lock->__writer)
        return EBUSY;
    lock->__readers++;
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    return pthread_rwlock_tryrdlock(lock) ? EDEADLK : 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    if (lock->__writer || lock->__readers)
        return EBUSY;
    lock->__writer = 1;
    return 0;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    return pthread_rwlock_trywrlock(lock) ? EDEADLK : 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    if (lock->__writer)
        lock->__writer = 0;
    else if (lock->__readers)
        lock->__readers--;
    else
        return EPERM;
    return 0;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    return *lock ? EBUSY : 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    if (*lock)
        return EBUSY;
    *lock = 1;
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    return pthread_spin_trylock(lock) ? EDEADLK : 0;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    *lock = 0;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes, unsigned count)
{
    (void)attributes;
    barrier->__count = count;
    return count ? 0 : EINVAL;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    (void)barrier;
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    return barrier->__count == 1 ? PTHREAD_BARRIER_SERIAL_THREAD : EDEADLK;
}
