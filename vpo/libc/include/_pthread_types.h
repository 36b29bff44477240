#ifndef _PTHREAD_TYPES_H
#define _PTHREAD_TYPES_H
#include <_size_t.h>
typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t, pthread_spinlock_t, pthread_condattr_t, pthread_rwlockattr_t, pthread_barrierattr_t;
typedef struct {
    int __detached, __priority;
    void *__stack;
    size_t __size, __guard;
} pthread_attr_t;
typedef struct {
    int __kind, __robust;
} pthread_mutexattr_t;
typedef struct {
    int __kind, __count;
} pthread_mutex_t;
typedef struct {
    int __clock;
} pthread_cond_t;
typedef struct {
    int __readers, __writer;
} pthread_rwlock_t;
typedef struct {
    unsigned __count;
} pthread_barrier_t;
#endif
