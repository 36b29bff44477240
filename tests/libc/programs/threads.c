/* What programs ask of threads when they have one: locks, keys, once, semaphores. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

#define SHOW(value) printf("%s: %d\n", #value, (int)(value))

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls;

static void initialise(void)
{
    calls++;
}

static void destroy(void *value)
{
    printf("destroyed %d\n", *(int *)value);
}

static void mutexes(void)
{
    struct timespec past = {0, 0};
    pthread_mutexattr_t attributes;
    pthread_mutex_t again;
    int kind;

    SHOW(pthread_mutex_lock(&plain));
    SHOW(pthread_mutex_trylock(&plain) == EBUSY);
    SHOW(pthread_cond_timedwait(&condition, &plain, &past) == ETIMEDOUT);
    SHOW(pthread_cond_signal(&condition));
    SHOW(pthread_mutex_unlock(&plain));
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    SHOW((pthread_mutexattr_gettype(&attributes, &kind), kind == PTHREAD_MUTEX_RECURSIVE));
    pthread_mutex_init(&again, &attributes);
    SHOW(pthread_mutex_lock(&again));
    SHOW(pthread_mutex_lock(&again));
    SHOW(pthread_mutex_unlock(&again));
    SHOW(pthread_mutex_unlock(&again));
    SHOW(pthread_mutex_unlock(&again) == EPERM);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&again, &attributes);
    SHOW(pthread_mutex_lock(&again));
    SHOW(pthread_mutex_lock(&again) == EDEADLK);
}

static void other_locks(void)
{
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    sem_t semaphore;
    int value;

    SHOW(pthread_rwlock_rdlock(&shared));
    SHOW(pthread_rwlock_tryrdlock(&shared));
    SHOW(pthread_rwlock_trywrlock(&shared) == EBUSY);
    SHOW(pthread_rwlock_unlock(&shared));
    SHOW(pthread_rwlock_unlock(&shared));
    SHOW(pthread_rwlock_wrlock(&shared));
    SHOW(pthread_rwlock_tryrdlock(&shared) == EBUSY);
    SHOW(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
    SHOW(pthread_spin_lock(&spin));
    SHOW(pthread_spin_trylock(&spin) == EBUSY);
    SHOW(pthread_spin_unlock(&spin));
    SHOW(pthread_barrier_init(&barrier, NULL, 1));
    SHOW(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    SHOW(sem_init(&semaphore, 0, 1));
    SHOW(sem_wait(&semaphore));
    SHOW(sem_trywait(&semaphore));
    SHOW(errno == EAGAIN);
    SHOW(sem_post(&semaphore));
    SHOW((sem_getvalue(&semaphore, &value), value));
}

int main(void)
{
    static int number = 7;
    pthread_key_t key;

    mutexes();
    other_locks();
    pthread_once(&once, initialise), pthread_once(&once, initialise);
    SHOW(calls);
    SHOW(pthread_equal(pthread_self(), pthread_self()) != 0);
    SHOW(sched_yield());
    pthread_key_create(&key, destroy);
    SHOW(pthread_getspecific(key) == NULL);
    SHOW(pthread_setspecific(key, &number));
    SHOW(*(int *)pthread_getspecific(key));
    pthread_exit(NULL);
}
