/* Semaphores of one thread. */

#include <errno.h>
#include <semaphore.h>
#include <stddef.h>

static int fail(int reason)
{
    errno = reason;
    return -1;
}

int sem_init(sem_t *semaphore, int shared, unsigned value)
{
    if (shared)
        return fail(ENOSYS);
    semaphore->__value = value;
    return 0;
}

int sem_destroy(sem_t *semaphore)
{
    (void)semaphore;
    return 0;
}

int sem_post(sem_t *semaphore)
{
    semaphore->__value++;
    return 0;
}

int sem_trywait(sem_t *semaphore)
{
    if (semaphore->__value == 0)
        return fail(EAGAIN);
    semaphore->__value--;
    return 0;
}

int sem_wait(sem_t *semaphore)
{
    return sem_trywait(semaphore) ? fail(EDEADLK) : 0;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *end)
{
    (void)end;
    return sem_trywait(semaphore) ? fail(ETIMEDOUT) : 0;
}

int sem_getvalue(sem_t *semaphore, int *value)
{
    *value = (int)semaphore->__value;
    return 0;
}

sem_t *sem_open(const char *name, int flags, ...)
{
    (void)name;
    (void)flags;
    errno = ENOSYS;
    return SEM_FAILED;
}

int sem_close(sem_t *semaphore)
{
    return sem_destroy(semaphore);
}

int sem_unlink(const char *name)
{
    (void)name;
    return fail(ENOENT);
}
