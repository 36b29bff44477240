#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H
/* There is one thread: to wait for what nobody can post fails with EDEADLK. */
#include <time.h>
typedef struct {
    unsigned __value;
} sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 0x7fff
int sem_init(sem_t *, int, unsigned), sem_destroy(sem_t *), sem_post(sem_t *), sem_wait(sem_t *), sem_trywait(sem_t *);
int sem_timedwait(sem_t *, const struct timespec *), sem_getvalue(sem_t *, int *);
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *), sem_unlink(const char *);
#endif
