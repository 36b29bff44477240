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

/* Collectors of garbage find in memory what callers have in registers: setjmp puts register windows away, as longjmp must. */
void __put_away_windows(void);
#ifdef __REGISTER_WINDOWS__
#define setjmp(environment) (__put_away_windows(), __setjmp_value = 0, __setjmp(environment), __setjmp_value)
#else
#define setjmp(environment) (__setjmp_value = 0, __setjmp(environment), __setjmp_value)
#endif
#define _setjmp(environment) setjmp(environment)
#define _longjmp(environment, value) longjmp(environment, value)
#define sigsetjmp(environment, mask) (__keep_mask(environment, mask), setjmp((environment)->__place))

#endif
