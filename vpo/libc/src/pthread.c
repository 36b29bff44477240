/* Threads where there is one: its locks are counted, nobody is woken, and no other is made. */

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static struct {
    int used;
    const void *value;
    void (*destroy)(void *);
} keys[PTHREAD_KEYS_MAX];

int(pthread_create)(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    (void)thread;
    (void)attributes;
    (void)start;
    (void)argument;
    return EAGAIN;
}

/* The last thread ends as by exit(0), after the destructors of its keys. */
_Noreturn void pthread_exit(void *result)
{
    int key;

    (void)result;
    for (key = 0; key < PTHREAD_KEYS_MAX; key++) {
        void *value = (void *)keys[key].value;

        keys[key].value = NULL;
        if (value != NULL && keys[key].destroy != NULL)
            keys[key].destroy(value);
    }
    exit(0);
}

pthread_t pthread_self(void)
{
    return 1;
}

int pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

int pthread_join(pthread_t thread, void **result)
{
    (void)result;
    return thread == pthread_self() ? EDEADLK : ESRCH;
}

int pthread_detach(pthread_t thread)
{
    return thread == pthread_self() ? 0 : ESRCH;
}

int pthread_cancel(pthread_t thread)
{
    (void)thread;
    return ESRCH;
}

int pthread_kill(pthread_t thread, int number)
{
    if (thread != pthread_self())
        return ESRCH;
    return number != 0 && raise(number) ? EINVAL : 0;
}

int pthread_setcancelstate(int state, int *old)
{
    (void)state;
    if (old != NULL)
        *old = PTHREAD_CANCEL_ENABLE;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    return pthread_setcancelstate(type, old);
}

void pthread_testcancel(void)
{
}

int pthread_attr_init(pthread_attr_t *attributes)
{
    *attributes = (pthread_attr_t){PTHREAD_CREATE_JOINABLE, 0, NULL, PTHREAD_STACK_MIN, 0};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes)
{
    (void)attributes;
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state)
{
    attributes->__detached = state;
    return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state)
{
    *state = attributes->__detached;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    attributes->__size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size)
{
    *size = attributes->__size;
    return 0;
}

int pthread_once(pthread_once_t *done, void (*routine)(void))
{
    if (!*done) {
        *done = 1;
        routine();
    }
    return 0;
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    unsigned number;

    for (number = 0; number < PTHREAD_KEYS_MAX; number++) {
        if (!keys[number].used) {
            keys[number].used = 1;
            keys[number].value = NULL;
            keys[number].destroy = destroy;
            *key = number;
            return 0;
        }
    }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key)
{
    if (key >= PTHREAD_KEYS_MAX || !keys[key].used)
        return EINVAL;
    keys[key].used = 0;
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    return key < PTHREAD_KEYS_MAX && keys[key].used ? (void *)keys[key].value : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    if (key >= PTHREAD_KEYS_MAX || !keys[key].used)
        return EINVAL;
    keys[key].value = value;
    return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    return sigprocmask(how, set, old) ? errno : 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)name;
    return pthread_detach(thread);
}
