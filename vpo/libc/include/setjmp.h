#ifndef _SETJMP_H
#define _SETJMP_H

/* The compiler knows that __setjmp may return twice: locals of functions that call it stay in memory. */

typedef union {
    char __context[__CONTEXT_SIZE__];
    long long __integer;
    double __floating;
    void *__pointer;
} jmp_buf[1];

#include <_sigset_t.h>

typedef struct {
    jmp_buf __place;
    int __has_mask;
    sigset_t __mask;
} sigjmp_buf[1];

extern int __setjmp_value;
void __setjmp(void *);
_Noreturn void __longjmp(void *);
_Noreturn void longjmp(jmp_buf, int);
void __keep_mask(sigjmp_buf, int);
_Noreturn void siglongjmp(sigjmp_buf, int);

#define setjmp(environment) (__setjmp_value = 0, __setjmp(environment), __setjmp_value)
#define _setjmp(environment) setjmp(environment)
#define _longjmp(environment, value) longjmp(environment, value)
#define sigsetjmp(environment, mask) (__keep_mask(environment, mask), setjmp((environment)->__place))

#endif
